// Numbers as every report shows them.

export function percentText(value: number): string {
  return Math.abs(value) >= 99.95 ? value.toFixed(0) : value.toFixed(1)
}

export function withSign(value: number): string {
  const rounded = value.toFixed(1)
  return value > 0 && rounded !== '0.0' ? `+${rounded}` : rounded.replace(/^-(0\.0)$/, '$1')
}

const natural = new Intl.Collator('en', { numeric: true })

// Groups that are all ranges or counts ("0 ~ 10", "60+") stand by their numbers, others as they came.
export function byNumbers<Row>(rows: readonly Row[], nameOf: (row: Row) => string): Row[] {
  const isNumbered = rows.every(row => /^\d/.test(nameOf(row)))
  return isNumbered ? [...rows].sort((a, b) => natural.compare(nameOf(a), nameOf(b))) : [...rows]
}
