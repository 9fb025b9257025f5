// A node of the lab behind a socket without a network: messages of either side arrive immediately, on the test's clock.
import type { PubSubNode } from '#lab/chain/pubSubNode'
import type { OpenSocket } from '#net/socket'

export interface NodeConnector {
  openSocket: OpenSocket
  /** Connections that were tried. */
  readonly tried: number
}

export function nodeConnector(node: PubSubNode): NodeConnector {
  let tried = 0
  return {
    get tried() {
      return tried
    },
    openSocket(_url, _headers, events) {
      tried++
      let isOpen = true
      const close = (reason: string): void => {
        if (!isOpen) return
        isOpen = false
        node.leave(peer)
        events.closed(reason)
      }
      const peer = {
        send: (text: string) => {
          if (isOpen) events.frame(Buffer.from(text))
        },
        end: () => close('closed by venue with 1006'),
      }
      queueMicrotask(() => {
        if (!isOpen) return
        if (node.connect(peer)) events.opened()
        else close('connect ECONNREFUSED')
      })
      return {
        send: (text) => {
          if (isOpen) node.receive(peer, text)
        },
        bufferedBytes: () => 0,
        close: () => close('closed by us'),
      }
    },
  }
}
