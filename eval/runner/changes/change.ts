import type { JudgeMode } from '../../protocols/judge/protocol.ts'
import { type AblationFault, faultName } from './fault.ts'

export const oracleNames = ['span', 'transcript', 'ocr', 'retrieval'] as const
export type OracleName = (typeof oracleNames)[number]

export const trackWords = ['speech', 'text', 'sound', 'picture'] as const
export const captionTrack = 'caption' // only where the base has captions, so "tracks" does not stand for it

// One thing in which a row differs from the base.
export type AblationChange =
  | { kind: 'without'; what: 'tool' | 'track' | 'policy'; name: string }
  | { kind: 'swap'; role: string; backend: string; model?: string }
  | { kind: 'set'; key: string; value: string } // as typed
  | { kind: 'option'; name: string; value: string } // of the benchmark, as typed
  | { kind: 'graph'; name: string }
  | { kind: 'judge-mode'; mode: JudgeMode }
  | { kind: 'oracle'; name: OracleName }
  | { kind: 'fault'; fault: AblationFault }

export function changeName(change: AblationChange): string {
  switch (change.kind) {
    case 'without':
      return `without ${change.name}`
    case 'swap':
      return `${change.role}=${change.backend}${change.model === undefined ? '' : `:${change.model}`}`
    case 'set':
      return `${change.key}=${change.value}`
    case 'option':
      return `option ${change.name}=${change.value}`
    case 'graph':
      return `graph ${change.name}`
    case 'judge-mode':
      return `judge-mode ${change.mode}`
    case 'oracle':
      return `oracle ${change.name}`
    case 'fault':
      return `fault ${faultName(change.fault)}`
  }
}

// Every change of the settings, as assignments that the settings understand.
export function listChangedSettings(change: AblationChange): string[] {
  switch (change.kind) {
    case 'without':
      if (change.what === 'track' && change.name === captionTrack) return ['index.captions.mode=off']
      if (change.what === 'track') return [`index.tracks.${change.name}=false`]
      return change.what === 'policy' ? [`policy.${change.name}=false`] : []
    case 'swap':
      return [
        `models.${change.role}.backend=${change.backend}`,
        ...(change.model === undefined ? [] : [`models.${change.role}.model=${change.model}`]),
      ]
    case 'set':
      return [`${change.key}=${change.value}`]
    case 'graph':
      return [`graph=${change.name}`]
    default:
      return []
  }
}

// What the judge of a row sees, where the row says it.
export function judgeModeIn(changes: readonly AblationChange[]): JudgeMode | undefined {
  return changes.find(change => change.kind === 'judge-mode')?.mode
}

// What a row gives of the benchmark's settings, over those of every row.
export function withChangedOptions(base: readonly string[], changes: readonly AblationChange[]): string[] {
  const ownOptions = changes.flatMap(change => (change.kind === 'option' ? [`${change.name}=${change.value}`] : []))
  const named = new Set(ownOptions.map(readName))
  return [...base.filter(one => !named.has(readName(one))), ...ownOptions]
}

function readName(assignment: string): string {
  return assignment.slice(0, assignment.indexOf('=')).trim()
}
