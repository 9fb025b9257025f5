// The transport reads its header size limit from the environment, once, when its native part is loaded: import this before it.

/** Request line and headers, bytes. Room for a maximum query plus as much again. The transport's own default is 4 KiB. */
export const headBytesMax = 32 * 1024

process.env.UWS_HTTP_MAX_HEADERS_SIZE = String(headBytesMax)
