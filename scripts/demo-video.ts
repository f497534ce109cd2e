import type {
  AudioCue,
  Background,
  HexColour,
  Scene,
  SceneSound,
  SceneVoice,
  ScreenText,
  Script,
} from '../src/media/render/scene.ts'

const fps = 25
const navy: HexColour = '#1d3f72'
const ink: HexColour = '#20242c'

// Three minutes of a made-up town meeting: slides, two speakers, a bell, an alarm, applause and views of the town.
export function demoVideo(): Script {
  const cues: AudioCue[] = [
    say(2, 'slt', 'Good morning and welcome to the town council.'),
    say(7, 'rms', 'Today we will talk about three things. The new bridge, the school garden, and the market.'),
    sound(16, 'bell', 3),
    say(22, 'rms', 'The work on the new bridge began two years ago, and it is almost finished.'),
    say(30, 'slt', 'Please look at the numbers on the screen.'),
    say(36, 'rms', 'The old bridge will stay open until the summer.'),
    sound(52, 'bell', 3),
    say(62, 'rms', 'A farmer will lead the school garden. She has worked on the land for twenty years.'),
    say(72, 'rms', 'The children will sell the fruit in October.'),
    sound(84, 'siren', 6),
    say(92, 'rms', 'Please leave the building slowly. This is only a test of the alarm.'),
    say(101, 'rms', 'The test is over. Please come back and take your seats.'),
    say(112, 'rms', 'The market moves to the old railway station, because the main square is too small.'),
    say(122, 'slt', 'The first market day is a Saturday.'),
    sound(132, 'bell', 3),
    sound(140, 'music', 8),
    say(152, 'rms', 'The next meeting will be on the second Monday in November.'),
    say(160, 'rms', 'Thank you all for coming and have a safe way home.'),
    sound(167, 'applause', 6),
  ]
  return {
    title: 'A town meeting',
    width: 1280,
    height: 720,
    fps,
    scenes: [
      slide(18, 'Harbour Town Council', ['Morning session', 'Hall B']),
      slide(26, 'The new bridge', ['Length: 240 metres', 'Cost: 18 million', 'Opening day: 12 June']),
      view(16, 21, ['#173045', '#4a86a8', '#d8ecf4'], 'PIER 7', '#c0242c'),
      slide(22, 'The school garden', ['Apples, pears and plums', '40 children every week']),
      view(28, 22, ['#3a1d14', '#a0603c', '#f0d8b0'], 'EXIT', '#18703c'),
      slide(26, 'The market', ['Saturday, 8 to 12', '42 stalls', 'Free bus: line 5']),
      view(14, 23, ['#1c2a14', '#5c8a3c', '#e4f0b8'], 'STATION SQUARE', '#28406c'),
      slide(30, 'Next meeting', ['Questions: Room 31', 'Thank you']),
    ],
    cues,
  }
}

function slide(seconds: number, title: string, lines: string[]): Scene {
  const heading: ScreenText = { text: title, size: 0.1, at: { x: 0.05, y: 0.03 }, colour: '#ffffff', bold: true }
  const body = lines.map(
    (text, row): ScreenText => ({ text, size: 0.085, at: { x: 0.08, y: 0.27 + row * 0.15 }, colour: ink }),
  )
  return scene(seconds, { kind: 'slide', paper: '#f6f5f0', bar: navy }, [heading, ...body])
}

function view(
  seconds: number,
  seed: number,
  colours: [HexColour, HexColour, HexColour],
  sign: string,
  behind: HexColour,
): Scene {
  const background: Background = { kind: 'texture', seed, colours, from: { x: 0, y: 0.3 }, to: { x: 1, y: 0.6 } }
  const text: ScreenText = { text: sign, size: 0.12, at: { x: 0.1, y: 0.12 }, colour: '#ffffff', behind, bold: true }
  const ball: Scene['things'][number] = {
    shape: 'circle',
    colour: '#e02020',
    size: 0.18,
    path: [
      { x: -0.1, y: 0.7 },
      { x: 1.1, y: 0.6 },
    ],
  }
  return { ...scene(seconds, background, [text]), things: [ball], opens: { kind: 'dissolve', frames: 15 } }
}

function scene(seconds: number, background: Background, texts: ScreenText[]): Scene {
  return { frames: seconds * fps, opens: { kind: 'cut' }, background, texts, things: [] }
}

function say(second: number, voice: SceneVoice, text: string): AudioCue {
  return { kind: 'speech', at: second * fps, text, voice }
}

function sound(second: number, kind: SceneSound, seconds: number): AudioCue {
  return { kind: 'sound', at: second * fps, sound: kind, frames: seconds * fps }
}
