type Range = { kind: 'whole' } | { kind: 'part'; start: number; end: number } | { kind: 'unsatisfiable' }

// An open end is answered with so much: a browser then asks again, and does not hold one of its six connections.
const openEnd = 4 * 1024 * 1024

// The bytes that a Range header asks for, the end included. One range; several are refused, as is one that holds no byte.
export function readRange(header: string | undefined, size: number): Range {
  if (header === undefined) return { kind: 'whole' }
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.trim()) ?? []
  if (first === '' && last === '') return { kind: 'unsatisfiable' }
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const wanted = first === '' ? size - 1 : last === '' ? start + openEnd - 1 : Number(last)
  const end = Math.min(wanted, size - 1)
  return start <= end ? { kind: 'part', start, end } : { kind: 'unsatisfiable' }
}
