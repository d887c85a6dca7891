import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'

// A network between the machines of a cluster that can be cut while everything on both sides goes on: namespaces of
// Linux, a bridge between them. The other end of a cut connection learns nothing of it.

export interface NodeNetwork {
  /** The address of what all nodes ask (etcd), which a node can lose apart from its clients. */
  witness: string
  nodes: { host: string; namespace: string }[]
  /** Nothing passes, in both directions. */
  cut: (node: number) => void
  /** It loses the other nodes and etcd; its clients still reach it. */
  isolate: (node: number) => void
  mend: (node: number) => void
  end: () => void
}

const ip = (...words: (string | number)[]) => void execFileSync('ip', words.map(String), { stdio: 'pipe' })

/** Why there can be none here; null: there can. */
export function whyNoNetwork(): string | null {
  const name = `ratecard-try-${process.pid}`
  try {
    ip('netns', 'add', name)
    ip('netns', 'del', name)
    return null
  } catch {
    return 'Network namespaces cannot be made here: that takes root, and the program "ip".'
  }
}

export function openNodeNetwork(count: number): NodeNetwork {
  const mark = randomInt(1, 250)
  const bridge = `ratecard${mark}`
  const address = (last: number) => `10.213.${mark}.${last}`
  const witness = address(254)
  const nodes = Array.from({ length: count }, (_, index) => ({
    host: address(index + 11),
    namespace: `${bridge}-${index + 1}`,
    outside: `rc${mark}n${index + 1}`,
  }))
  const node = (index: number) => {
    const found = nodes[index]
    if (!found) throw new Error(`There is no node ${index}.`)
    return found
  }
  const othersOf = (index: number) => [
    witness,
    ...nodes.filter((_, other) => other !== index).map(({ host }) => host),
  ]
  const quietly = (...words: (string | number)[]) => {
    try {
      ip(...words)
    } catch {
      // It is so already.
    }
  }
  // An address of its own: else it has that of a port, and a new one when that port leaves, which all nodes would feel.
  const hex = mark.toString(16).padStart(2, '0')
  ip('link', 'add', bridge, 'address', `02:00:00:00:00:${hex}`, 'type', 'bridge')
  ip('address', 'add', `${address(1)}/24`, 'dev', bridge)
  ip('address', 'add', `${witness}/24`, 'dev', bridge)
  ip('link', 'set', bridge, 'up')
  for (const { host, namespace, outside } of nodes) {
    ip('netns', 'add', namespace)
    ip('link', 'add', outside, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace)
    ip('link', 'set', outside, 'master', bridge, 'up')
    ip('-n', namespace, 'address', 'add', `${host}/24`, 'dev', 'eth0')
    ip('-n', namespace, 'link', 'set', 'eth0', 'up')
    ip('-n', namespace, 'link', 'set', 'lo', 'up')
  }
  return {
    witness,
    nodes,
    // Not the link itself: a kernel that sees its link go down tells its programs.
    cut: (index) => ip('link', 'set', node(index).outside, 'nomaster'),
    isolate: (index) => {
      for (const host of othersOf(index)) ip('-n', node(index).namespace, 'route', 'add', 'blackhole', host)
    },
    mend: (index) => {
      quietly('link', 'set', node(index).outside, 'master', bridge)
      for (const host of othersOf(index))
        quietly('-n', node(index).namespace, 'route', 'del', 'blackhole', host)
    },
    end: () => {
      for (const { namespace } of nodes) quietly('netns', 'del', namespace)
      quietly('link', 'del', bridge)
    },
  }
}
