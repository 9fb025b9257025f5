// The stream's only interface to a transport. src/server/gateway adapts uWebSockets.js to it; a test may substitute a queue.

/**
 * `sent`: left the program. `buffered`: accepted, waiting for the peer. `dropped`: refused; the peer will never see it.
 */
export type SendResult = 'sent' | 'buffered' | 'dropped'

export interface StreamSocket {
  readonly id: number
  /** One text message. `bytes` is shared between sockets and must not be changed. */
  send(bytes: Buffer): SendResult
  /** Everything `run` sends leaves in one write, as far as the transport's buffer allows. */
  cork(run: () => void): void
  /** Bytes waiting in the program for a slow peer; the kernel's share is not visible. */
  bufferedAmount(): number
  /** Closes with a code. The transport reports `closed()` to the connection, possibly before this returns. */
  close(code: number, reason: string): void
}

/** Events a transport reports about one socket. None of these throws. */
export interface StreamConnection {
  /** `bytes` is only valid during the call. */
  message(bytes: Buffer, isBinary: boolean): void
  /** The peer read something that had been waiting. */
  drained(): void
  /** The socket is gone; nothing may be sent any more. */
  closed(): void
}

export interface StreamServer {
  /**
   * A socket was opened. `bearer` is the key in the upgrade's `Authorization` header: null without the header (the first frame must
   * then be `auth`), an empty string for a header without a bearer key.
   */
  open(socket: StreamSocket, bearer: string | null): StreamConnection
  /** Closes every socket with 1001 and stops every timer; calling it twice is harmless. */
  stop(): Promise<void>
}
