// Where a frame stands while it is read: one area, so that a DataView over it compares eight bytes at a time.

/** Larger frames go to JSON.parse; a snapshot of 5,000 levels fits. */
export const scannedBytesMax = 256 * 1024
/** Never written, so that every loop over digits or text meets a byte that ends it. */
const guardBytes = 256

const bytes = new Uint8Array(scannedBytesMax + guardBytes)
const view = new DataView(bytes.buffer)
/** Take these into constants of your own module: an exported constant is read through a cell, one of the module itself is folded. */
export const scratch = { bytes, view }
