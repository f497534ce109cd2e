import type { Evidence } from '../../../src/core/evidence.ts'
import type { BoundName, Merge, Unsure } from '../../../src/core/people.ts'
import { isNumbered } from '../../../src/core/speakers.ts'
import { areCompatible, fullest, splitPersonName } from '../../../src/text/people/name-form.ts'
import { namesDenied, namesInFirstPerson, namesOfOthers, namesPlayed } from '../../../src/text/people/self-naming.ts'
import type { NameClaim } from './claims.ts'

// A voice with the names that its rows bear out.
export interface VoiceBinding {
  speaker: string
  names: BoundName[] // the fullest first
  merges: Merge[]
  unsure: Unsure[]
}

const nobody =
  /^(?:speakers?|voices?|man|men|woman|women|boys?|girls?|child|children|kids?|male|female|narrator|announcer|host|hostess|reporter|interviewer|interviewee|presenter|moderator|audience|crowd|all|both|everyone|everybody|other|unknown|person|guest|teacher|student|singer|chorus|caller|operator|commentator|translator|interpreter|v\.?o\.?|off)\b/i

// Names are bound where all that is said of a voice agrees, and nothing of another voice says otherwise. What disagrees is kept apart.
export function bindNames(speech: readonly Evidence[], claims: readonly NameClaim[]): VoiceBinding[] {
  const speakers = [...new Set(speech.flatMap(({ speaker }) => speaker ?? []))]
  const doubts = doubtsIn(speech)
  const doubted = claims.filter(claim => isDoubted(claim, claims, doubts))
  return speakers.map(speaker => {
    const ownClaims = claims.filter(claim => claim.speaker === speaker)
    const sure = ownClaims.filter(claim => !doubted.includes(claim))
    const givenNames = findGivenName(speaker, speech)
    const disagree = sure.filter(({ name }) => [...sure, ...givenNames].some(other => !areCompatible(name, other.name)))
    const bound =
      givenNames.length > 0 ? sure.filter(claim => !disagree.includes(claim)) : disagree.length > 0 ? [] : sure
    const unsure = ownClaims.filter(claim => !bound.includes(claim)).map(asUnsure)
    return { speaker, names: [...asNames(bound), ...givenNames], merges: bound.map(asMerge), unsure }
  })
}

// A name that subtitles give a voice needs no other rows.
function findGivenName(speaker: string, speech: readonly Evidence[]): BoundName[] {
  if (isNumbered(speaker) || nobody.test(speaker)) return []
  const rows = speech.filter(row => row.speaker === speaker).slice(0, 3)
  return [{ name: speaker, how: 'the subtitles name the speaker', evidence: rows.map(({ id }) => id) }]
}

// What voices say of names that are not theirs, read once for all claims.
interface Doubts {
  denied: readonly { speaker?: string; names: readonly string[] }[] // of themselves, or in the words of others
  firstPerson: readonly { speaker?: string; names: readonly string[] }[]
  played: readonly string[]
}

function doubtsIn(speech: readonly Evidence[]): Doubts {
  const each = (namesIn: (line: string) => string[]) =>
    speech.map(({ speaker, text }) => ({ speaker, names: namesIn(text) })).filter(({ names }) => names.length > 0)
  return {
    denied: each(line => [...namesDenied(line), ...namesOfOthers(line)]),
    firstPerson: each(namesInFirstPerson),
    played: speech.flatMap(({ text }) => namesPlayed(text)),
  }
}

function isDoubted({ speaker, name, rule }: NameClaim, claims: readonly NameClaim[], doubts: Doubts): boolean {
  const same = (other: string) => areCompatible(other, name)
  if (doubts.denied.some(one => one.speaker === speaker && one.names.some(same)) || doubts.played.some(same))
    return true
  // Two may be called alike; three who all say so repeat a sentence, as a class does.
  const sayers = doubts.firstPerson.filter(({ names }) => names.some(same)).map(one => one.speaker)
  if (new Set(sayers).size > 2) return true
  // One name over two voices was shown at the wrong moment at least once; one who says a name of himself knows better than a caption.
  return (
    rule !== 'says so' &&
    claims.some(other => other.speaker !== speaker && splitPersonName(other.name).length > 0 && same(other.name))
  )
}

function asNames(claims: readonly NameClaim[]): BoundName[] {
  const names = [...new Set(claims.map(({ name }) => name))]
  const best = fullest(names)
  return names
    .sort((a, b) => Number(b === best) - Number(a === best))
    .map(name => {
      const ownClaims = claims.filter(claim => claim.name === name)
      const evidence = [...new Set(ownClaims.flatMap(({ because }) => because))]
      return { name, how: ownClaims[0]?.how ?? '', evidence }
    })
}

function asMerge({ speaker, name, rule, because }: NameClaim): Merge {
  return { of: [speaker, name], because, rule: rules[rule] }
}

const rules = {
  'says so': 'the voice says that it is its name',
  announced: 'a host announces the name, and the next new voice answers as the guest',
  shown: 'the name is shown while this voice speaks alone and nobody else is seen',
}

function asUnsure({ speaker, name, how, because }: NameClaim): Unsure {
  return { text: `${speaker} may be ${name} (${how}), and other rows say otherwise`, evidence: because }
}
