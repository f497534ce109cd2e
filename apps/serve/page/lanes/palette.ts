import type { LaneName } from './columns.ts'

export interface Palette {
  ground: string
  band: string
  line: string
  dim: string
  ink: string
  accent: string
  lanes: Record<LaneName, string>
}

const tokens: Record<LaneName, string> = {
  shot: '--dim',
  speech: '--speech',
  text: '--text',
  sound: '--sound',
  picture: '--picture',
  summary: '--dim',
  claim: '--dim',
  caption: '--picture',
  person: '--speech',
  looked: '--dim',
  searched: '--accent',
  cited: '--cited',
}

// The colours of the page as a canvas takes them: those of the light or the dark scheme, whichever holds now.
export function paletteOf(element: HTMLElement): Palette {
  const probe = document.createElement('i')
  element.append(probe)
  const read = (token: string) => {
    probe.style.color = `var(${token})`
    return getComputedStyle(probe).color
  }
  const lanes = Object.fromEntries(Object.entries(tokens).map(([lane, token]) => [lane, read(token)]))
  const palette = {
    ...{ ground: read('--surface'), band: read('--accent-ground'), line: read('--line'), dim: read('--dim') },
    ...{ ink: read('--ink'), accent: read('--accent'), lanes: lanes as Record<LaneName, string> },
  }
  probe.remove()
  return palette
}
