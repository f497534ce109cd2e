import { clamp } from '../../../src/core/basics/numbers.ts'
import type { Box } from '../../../src/core/evidence.ts'
import type { Frame } from '../../../src/core/video.ts'
import { cropFrame } from '../../../src/media/image.ts'
import type { Corner, LinePlace } from '../../prepare/text-boxes.ts'
import { lowerQuantileBy } from '../../quantile.ts'

// The picture of one line, level.
export function cutLine(frame: Frame, { box, corners }: LinePlace): Frame {
  return corners ? levelled(frame, corners) : cropFrame(frame, box)
}

// Bilinear, at the size of the line itself; what is outside of the frame repeats its edge.
function levelled(frame: Frame, corners: NonNullable<LinePlace['corners']>): Frame {
  const [from, right, , below] = corners.map(([x, y]) => [x * frame.width, y * frame.height] as const)
  const [left, top] = from!
  const [alongX, alongY] = [right![0] - left, right![1] - top]
  const [downX, downY] = [below![0] - left, below![1] - top]
  const width = Math.max(1, Math.round(Math.hypot(alongX, alongY)))
  const height = Math.max(1, Math.round(Math.hypot(downX, downY)))
  const rgb = new Uint8Array(width * height * 3)
  for (let row = 0, to = 0; row < height; row++) {
    const down = (row + 0.5) / height
    for (let column = 0; column < width; column++, to += 3) {
      const along = (column + 0.5) / width
      const x = clamp(left + along * alongX + down * downX - 0.5, 0, frame.width - 1)
      const y = clamp(top + along * alongY + down * downY - 0.5, 0, frame.height - 1)
      const [x0, y0] = [Math.floor(x), Math.floor(y)]
      const [right, lower] = [x - x0, y - y0]
      const at = (y0 * frame.width + x0) * 3
      const next = x0 + 1 < frame.width ? 3 : 0
      const under = y0 + 1 < frame.height ? frame.width * 3 : 0
      for (let channel = at; channel < at + 3; channel++) {
        const upper = frame.rgb[channel]! * (1 - right) + frame.rgb[channel + next]! * right
        const bottom = frame.rgb[channel + under]! * (1 - right) + frame.rgb[channel + under + next]! * right
        rgb[to + channel - at] = Math.round(upper * (1 - lower) + bottom * lower)
      }
    }
  }
  return { time: frame.time, width, height, rgb }
}

// Where a line would stand if the page were level: turned by the tilt that most of its tilted lines have.
export function levelBox(
  lines: readonly { place: LinePlace }[],
  { width, height }: Frame,
): (line: { place: LinePlace }) => Box {
  const tilted = lines.flatMap(({ place: { corners } }) => (corners ? [computeTilt(corners, width / height)] : []))
  if (tilted.length * 2 < lines.length || tilted.length === 0) return ({ place }) => place.box
  const angle = lowerQuantileBy(tilted, 0.5, tilt => tilt)
  const [cos, sin] = [Math.cos(-angle), Math.sin(-angle)]
  return ({ place: { box, corners } }) => {
    const points: readonly Corner[] = corners ?? [
      [box.x, box.y],
      [box.x + box.width, box.y],
      [box.x + box.width, box.y + box.height],
      [box.x, box.y + box.height],
    ]
    const turned = points.map(([x, y]) => [x * width * cos - y * height * sin, x * width * sin + y * height * cos])
    const [xs, ys] = [turned.map(([x]) => x!), turned.map(([, y]) => y!)]
    const [x, y] = [Math.min(...xs), Math.min(...ys)]
    return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y }
  }
}

function computeTilt([[fromX, fromY], [toX, toY]]: NonNullable<LinePlace['corners']>, ratio: number): number {
  return Math.atan2(toY - fromY, (toX - fromX) * ratio)
}
