import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { NeedleRecord } from '../../eval/benchmarks/needle/record.ts'
import { renderVideo } from '../../src/media/render/render-video.ts'
import type { Scene, Script } from '../../src/media/render/scene.ts'

const fps = 10
const seconds = 3 // each slide stays

// A needle set in small: two videos of slides, each with the name and the room of somebody, and one spoken sentence; a question on
// each slide. What is on a slide is only known from reading it.
const people = [
  ['Miller', 'Vienna', 'Boston', 'Dublin', 'Madrid', 'Lisbon', 'Athens', 'Prague'],
  ['Carter', 'Geneva', 'Berlin', 'London', 'Moscow', 'Havana', 'Sydney', 'Toronto'],
]
const titles = ['Bakery', 'Museum', 'Library', 'Theater', 'Station', 'Hospital', 'Harbour', 'Cinema']

export async function makeSigns(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  const records: NeedleRecord[] = []
  for (const [n, names] of people.entries()) {
    const video = `signs-${n + 1}.mp4`
    const script: Script = {
      title: video,
      width: 640,
      height: 360,
      fps,
      scenes: names.map((name, at) => slide(at, titles[at]!, name)),
      cues: [{ kind: 'speech', at: 5, text: 'Welcome to the guided tour of our little town.', voice: 'rms' }],
    }
    await renderVideo(script, join(folder, video), { signal: new AbortController().signal })
    await writeFile(join(folder, video.replace('.mp4', '.script.json')), JSON.stringify(script))
    names.forEach((name, at) => {
      records.push(record(video, n, at, name, names))
    })
  }
  await writeFile(join(folder, 'needle.json'), JSON.stringify(records))
  return folder
}

function slide(at: number, title: string, name: string): Scene {
  const line = (text: string, y: number) => ({ text, size: 0.13, at: { x: 0.1, y }, colour: '#ffffff' as const })
  return {
    frames: seconds * fps,
    opens: { kind: 'cut' },
    background: { kind: 'plain', colour: at % 2 === 0 ? '#123a66' : '#7a1f1f' },
    texts: [line(title, 0.2), line(`Sponsor: ${name}`, 0.55)],
    things: [],
  }
}

function record(video: string, n: number, at: number, name: string, names: readonly string[]): NeedleRecord {
  const wrong = names.filter(other => other !== name).slice(at % 4, (at % 4) + 3)
  const choices = [name, ...wrong, 'The video does not say.']
  return {
    id: `signs-${n + 1}_q${at}`,
    video,
    kind: 'fact-text',
    turns: [],
    question: `According to the slide "${titles[at]}", who is the sponsor?`,
    answer: name,
    expect: { form: 'words', groups: [[name]], rivals: wrong },
    criteria: [],
    choices,
    right_answer: 'A',
    clue_intervals: [[at * seconds, (at + 1) * seconds]],
    modalities: ['visual'],
    duration: names.length * seconds,
  }
}
