import { stableJson } from '../core/json.ts'
import type { Departure } from '../core/runtime.ts'
import type { Role } from '../core/services.ts'
import { profiles } from './profiles.ts'
import type { RoleSettings } from './tiers.ts'

// A part of LongShOTAgent as its paper describes it (arXiv 2512.16978), beside what the profile `paper` has for it.
interface PaperPart {
  paper: string // what the paper runs there
  why?: string // why the profile has another; absent where it is the same
}

const frames = 'frames of a span with their times, not a clip: Ollama takes no video'
const fourBits = '4 bits on Ollama; the precision of the paper is not stated'
const noneNamed = 'none named'

const paperParts: Partial<Record<Role, PaperPart>> = {
  shots: { paper: 'scene detection', why: 'method not named' },
  voice: { paper: 'voice activity', why: noneNamed },
  transcribe: { paper: 'Whisper small' },
  retranscribe: { paper: 'Whisper large-v3', why: 'without times of words' },
  speakers: { paper: 'none' },
  readText: { paper: 'PaddleOCR, no version named', why: 'the newest that PaddleOCR has' },
  hear: { paper: '"non speech audio analysis", no model named', why: noneNamed },
  listen: { paper: 'Audio Flamingo 3' },
  embedImage: { paper: 'SigLIP', why: 'size as in the released code; frames that show nothing new are left out' },
  embedText: { paper: 'not named', why: 'as in the released code' },
  planner: { paper: 'Qwen3-4B', why: `the 2507 instruct build; ${fourBits}` },
  writer: { paper: 'the orchestrator', why: `the same model as the planner; ${fourBits}` },
  verifier: { paper: 'none', why: '--set policy.verifier=off goes without' },
  vision: { paper: 'Qwen2.5-VL-7B', why: `${frames}; ${fourBits}` },
  judge: { paper: 'Qwen3-14B, /no_think', why: `without its JSON format: its reply is read and checked; ${fourBits}` },
  detect: { paper: 'a tool, no model named', why: noneNamed },
  faces: { paper: 'a tool, no model named', why: noneNamed },
}

// What holds for the agent as a whole.
const wholeAgent: Departure[] = [
  {
    part: 'control loop',
    paper: 'not published for the sixteen tools',
    here: 'graph investigate',
    why: '--graph longshot-v2 is the released loop with its three tools, --graph task-graph the task graph of the paper',
  },
  {
    part: 'web search, code',
    paper: 'tools',
    here: 'off until permissions and tools.web allow them',
    why: 'nothing leaves the machine unasked',
  },
]

// In what these models are not those of the paper.
export function paperDepartures(models: Partial<Record<Role, RoleSettings>>): Departure[] {
  const roles = Object.entries(paperParts) as [Role, PaperPart][]
  const ofRoles = roles.flatMap(([role, { paper, why }]) => {
    const choice = models[role] ?? { backend: 'off' }
    const usual = Object.entries(profiles.paper[role])
    const isProfile = usual.every(([key, value]) => stableJson(choice[key]) === stableJson(value))
    const reason = isProfile ? why : 'set otherwise than the profile'
    return reason === undefined ? [] : [{ part: role, paper, here: formatName(choice), why: reason }]
  })
  return [...ofRoles, ...wholeAgent]
}

function formatName({ backend, model }: RoleSettings): string {
  return typeof model === 'string' ? `${backend}/${model}` : backend
}
