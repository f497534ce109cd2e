import { type Fault, faultName } from './fault.ts'

export const oracleNames = ['span', 'transcript', 'ocr', 'retrieval'] as const
export type OracleName = (typeof oracleNames)[number]

export const trackWords = ['speech', 'text', 'sound', 'picture'] as const
export const captionTrack = 'caption' // only where the base has captions, so "tracks" does not stand for it

// One thing in which a row differs from the base.
export type Change =
  | { kind: 'without'; what: 'tool' | 'track' | 'policy'; name: string }
  | { kind: 'swap'; role: string; backend: string; model?: string }
  | { kind: 'set'; key: string; value: string } // as typed
  | { kind: 'graph'; name: string }
  | { kind: 'oracle'; name: OracleName }
  | { kind: 'fault'; fault: Fault }

export function changeName(change: Change): string {
  switch (change.kind) {
    case 'without':
      return `without ${change.name}`
    case 'swap':
      return `${change.role}=${change.backend}${change.model === undefined ? '' : `:${change.model}`}`
    case 'set':
      return `${change.key}=${change.value}`
    case 'graph':
      return `graph ${change.name}`
    case 'oracle':
      return `oracle ${change.name}`
    case 'fault':
      return `fault ${faultName(change.fault)}`
  }
}

// Every change of the settings, as assignments that the settings understand.
export function settingsOf(change: Change): string[] {
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
