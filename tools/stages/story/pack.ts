// Neighbours together, as many as fit into `room`, and no more than `atMost`. What does not fit by itself stands alone.
export function pack<Item>(
  items: readonly Item[],
  size: (item: Item) => number,
  room: number,
  atMost: number,
): Item[][] {
  const packs: Item[][] = []
  let left = 0
  for (const item of items) {
    const needed = size(item)
    const last = packs.at(-1)
    if (last && needed <= left && last.length < atMost) last.push(item)
    else {
      packs.push([item])
      left = room
    }
    left -= needed
  }
  return packs
}
