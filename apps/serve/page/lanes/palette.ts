import { trackNames } from '../../../../src/core/words/track-names.ts'
import type { LaneName } from './columns.ts'
import { laneKinds } from './lane-list.ts'

export interface Palette {
  ground: string
  band: string
  line: string
  dim: string
  ink: string
  accent: string
  lanes: Record<LaneName, string>
}

const laneNames: readonly LaneName[] = [...trackNames, 'looked', 'searched', 'cited']

// The colours of the page as a canvas takes them: those of the light or the dark scheme, whichever holds now.
export function readPalette(element: HTMLElement): Palette {
  const probe = document.createElement('i')
  element.append(probe)
  const read = (token: string) => {
    probe.style.color = `var(${token})`
    return getComputedStyle(probe).color
  }
  const lanes = Object.fromEntries(laneNames.map(lane => [lane, read(chooseColour(lane))]))
  const palette = {
    ...{ ground: read('--surface'), band: read('--accent-ground'), line: read('--line'), dim: read('--dim') },
    ...{ ink: read('--ink'), accent: read('--accent'), lanes: lanes as Record<LaneName, string> },
  }
  probe.remove()
  return palette
}

function chooseColour(lane: LaneName): string {
  return laneKinds.find(({ name }) => name === lane)?.colour ?? '--dim'
}
