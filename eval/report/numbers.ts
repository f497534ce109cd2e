// Numbers as every report shows them.

export function percent(value: number): string {
  return Math.abs(value) >= 99.95 ? value.toFixed(0) : value.toFixed(1)
}

export function signed(value: number): string {
  const shown = value.toFixed(1)
  return value > 0 && shown !== '0.0' ? `+${shown}` : shown.replace(/^-(0\.0)$/, '$1')
}
