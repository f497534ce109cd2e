// round(value, digits) as Python does it: on the exact decimal value of the double, ties to the even neighbour.
// 3.125 -> 3.12, and 2.675 -> 2.67 because the double lies below it.
export function roundHalfEven(value: number, digits = 0): number {
  if (!Number.isFinite(value)) return value
  const rounded = Number(formatFixed(value, digits))
  return rounded === 0 && value < 0 ? -0 : rounded
}

// '%.2f' as Python writes it; toFixed differs on exact ties.
export function formatFixed(value: number, digits: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf'
  const { mantissa, exponent } = parts(Math.abs(value))
  const scaled = mantissa * 10n ** BigInt(digits)
  const whole = exponent >= 0 ? scaled << BigInt(exponent) : divideHalfEven(scaled, 1n << BigInt(-exponent))
  const text = String(whole).padStart(digits + 1, '0')
  const sign = value < 0 || Object.is(value, -0) ? '-' : ''
  return sign + (digits > 0 ? `${text.slice(0, -digits)}.${text.slice(-digits)}` : text)
}

// np.round(value, digits): the scaled double is rounded, ties to even, so it can differ from Python's in the last digit.
export function roundScaled(value: number, digits = 0): number {
  const scale = 10 ** digits
  return toEven(value * scale) / scale
}

// The nearest whole number, ties to the even one.
export function toEven(value: number): number {
  const low = Math.floor(value)
  const rest = value - low
  if (rest !== 0.5) return rest < 0.5 ? low : low + 1
  return low % 2 === 0 ? low : low + 1
}

function divideHalfEven(value: bigint, by: bigint): bigint {
  const whole = value / by
  const twice = (value % by) * 2n
  return twice > by || (twice === by && whole % 2n === 1n) ? whole + 1n : whole
}

// value = mantissa * 2 ** exponent, exactly.
function parts(value: number): { mantissa: bigint; exponent: number } {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value)
  const bits = view.getBigUint64(0)
  const power = Number((bits >> 52n) & 0x7ffn)
  const fraction = bits & 0xfffffffffffffn
  return power === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction | (1n << 52n), exponent: power - 1075 }
}
