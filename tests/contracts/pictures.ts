import type { Frame } from '../../src/core/video.ts'
import { runProgram } from '../../src/media/program/run-program.ts'

const size = { width: 320, height: 180 }

// One frame of an ffmpeg source, as "testsrc2" or "mandelbrot", with filters that may follow it after commas.
export async function sourceFrame(source: string, { width, height } = size): Promise<Frame> {
  const [name, ...filters] = source.split(',')
  const graph = [`${name}${name!.includes('=') ? ':' : '='}size=${width}x${height}`, ...filters, 'format=rgb24'].join(
    ',',
  )
  const args = ['-v', 'error', '-f', 'lavfi', '-i', graph, '-frames:v', '1', '-f', 'rawvideo', '-']
  const { stdout } = await runProgram('ffmpeg', args)
  return { time: 0, width, height, rgb: new Uint8Array(stdout) }
}

export function plainFrame(red: number, green: number, blue: number, { width, height } = size): Frame {
  const rgb = new Uint8Array(width * height * 3)
  for (let at = 0; at < rgb.length; at += 3) rgb.set([red, green, blue], at)
  return { time: 0, width, height, rgb }
}

// A copy with one box painted over, in fractions of the frame.
export function withBox(
  frame: Frame,
  box: { x: number; y: number; width: number; height: number },
  colour: [number, number, number],
): Frame {
  const rgb = frame.rgb.slice()
  for (let y = Math.round(box.y * frame.height); y < Math.round((box.y + box.height) * frame.height); y++)
    for (let x = Math.round(box.x * frame.width); x < Math.round((box.x + box.width) * frame.width); x++)
      rgb.set(colour, (y * frame.width + x) * 3)
  return { ...frame, rgb }
}

export function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0)
}

export interface DrawnText {
  text: string
  size: number
  x: number
  y: number
  colour: string
  behind?: string // the colour of a box behind it
}

// Texts over an ffmpeg source, 960 by 540.
export function textFrame(source: string, texts: readonly DrawnText[]): Promise<Frame> {
  const drawn = texts.map(({ text, size, x, y, colour, behind }) => {
    const box = behind ? `:box=1:boxcolor=${behind}:boxborderw=10` : ''
    return `drawtext=font='DejaVu Sans':text='${text}':fontsize=${size}:fontcolor=${colour}:x=${x}:y=${y}${box}`
  })
  return sourceFrame([source, ...drawn].join(','), { width: 960, height: 540 })
}
