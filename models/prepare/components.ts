// A patch of connected pixels; right and bottom are exclusive.
export interface Component {
  left: number
  top: number
  right: number
  bottom: number
  area: number
  runs: number[] // its pixels: row, first column and the column after the last, one run after another
}

// The connected patches of the pixels of one value, diagonal neighbours included. Works on runs of pixels in a row.
export function components(mask: Uint8Array, width: number, height: number, value: number): Component[] {
  const starts: number[] = []
  const ends: number[] = []
  const rows: number[] = []
  const parents: number[] = []
  let above = 0 // first run of the row above
  let current = 0
  for (let y = 0; y < height; y++) {
    const begun = starts.length
    let over = above
    for (let x = 0, at = y * width; x < width; x++, at++) {
      if (mask[at] !== value) continue
      const start = x
      while (x < width && mask[y * width + x] === value) x++
      at = y * width + x
      const run = starts.length
      starts.push(start)
      ends.push(x)
      rows.push(y)
      parents.push(run)
      while (over < current && ends[over]! < start) over++
      for (let other = over; other < current && starts[other]! <= x; other++) join(parents, run, other)
    }
    above = begun
    current = starts.length
  }
  const componentByRoot = new Map<number, Component>()
  for (let run = 0; run < starts.length; run++) {
    const [row, start, end] = [rows[run]!, starts[run]!, ends[run]!]
    const root = findRoot(parents, run)
    const component = componentByRoot.get(root)
    if (!component) {
      const runs = [row, start, end]
      componentByRoot.set(root, { left: start, top: row, right: end, bottom: row + 1, area: end - start, runs })
      continue
    }
    component.runs.push(row, start, end)
    component.left = Math.min(component.left, start)
    component.right = Math.max(component.right, end)
    component.bottom = row + 1 // runs come row by row
    component.area += end - start
  }
  return [...componentByRoot.values()]
}

function join(parents: number[], a: number, b: number): void {
  const [first, second] = [findRoot(parents, a), findRoot(parents, b)]
  if (first !== second) parents[Math.max(first, second)] = Math.min(first, second)
}

function findRoot(parents: number[], run: number): number {
  let root = run
  while (parents[root] !== root) root = parents[root]!
  while (parents[run] !== root) [run, parents[run]] = [parents[run]!, root]
  return root
}
