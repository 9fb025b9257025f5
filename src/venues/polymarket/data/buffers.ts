// Holds a frame while it is read: a single area, so that a DataView over it compares eight bytes at a time.

/** Larger frames go to JSON.parse; a snapshot of 5,000 levels fits. */
export const scannedBytesMax = 256 * 1024
/** Never written, so that every loop over digits or text meets a terminating byte. */
const guardBytes = 256

const bytes = new Uint8Array(scannedBytesMax + guardBytes)
const view = new DataView(bytes.buffer)
/** Copy these into constants of your own module: an exported constant is read through a cell, a module-local one is folded. */
export const scratch = { bytes, view }
