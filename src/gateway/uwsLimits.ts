// The transport reads its limit of a request's head from the environment, once, when its native part is loaded: this stands in front of that.

/** Request line and headers, bytes. A query of its full length beside as much again. The transport's own default is 4 KiB. */
export const headBytesMax = 32 * 1024

process.env.UWS_HTTP_MAX_HEADERS_SIZE = String(headBytesMax)
