import type { Evidence } from '../../../src/core/evidence.ts'
import type { BoundName, Merge, Unsure } from '../../../src/core/people.ts'
import { isNumbered } from '../../../src/core/speakers.ts'
import { areCompatible, fullest, partsOf } from '../../../src/text/people/name-form.ts'
import { namesDenied } from '../../../src/text/people/self-naming.ts'
import type { Claim } from './claims.ts'

// A voice with the names that its rows bear out.
export interface Voice {
  speaker: string
  names: BoundName[] // the fullest first
  merges: Merge[]
  unsure: Unsure[]
}

const nobody =
  /^(?:speakers?|voices?|man|men|woman|women|boys?|girls?|child|children|kids?|male|female|narrator|announcer|host|hostess|reporter|interviewer|interviewee|presenter|moderator|audience|crowd|all|both|everyone|everybody|other|unknown|person|guest|teacher|student|singer|chorus|caller|operator|commentator|translator|interpreter|v\.?o\.?|off)\b/i

// Names are bound where all that is said of a voice agrees, and nothing of another voice says otherwise. What disagrees is kept apart.
export function bindNames(speech: readonly Evidence[], claims: readonly Claim[]): Voice[] {
  const speakers = [...new Set(speech.flatMap(({ speaker }) => speaker ?? []))]
  const doubted = claims.filter(claim => isDoubted(claim, claims, speech))
  return speakers.map(speaker => {
    const own = claims.filter(claim => claim.speaker === speaker)
    const sure = own.filter(claim => !doubted.includes(claim))
    const given = givenNameOf(speaker, speech)
    const disagree = sure.filter(({ name }) => [...sure, ...given].some(other => !areCompatible(name, other.name)))
    const bound = given.length > 0 ? sure.filter(claim => !disagree.includes(claim)) : disagree.length > 0 ? [] : sure
    const unsure = own.filter(claim => !bound.includes(claim)).map(asUnsure)
    return { speaker, names: [...asNames(bound), ...given], merges: bound.map(asMerge), unsure }
  })
}

// A name that subtitles give a voice needs no other rows.
function givenNameOf(speaker: string, speech: readonly Evidence[]): BoundName[] {
  if (isNumbered(speaker) || nobody.test(speaker)) return []
  const rows = speech.filter(row => row.speaker === speaker).slice(0, 3)
  return [{ name: speaker, how: 'the subtitles name the speaker', evidence: rows.map(({ id }) => id) }]
}

function isDoubted(claim: Claim, claims: readonly Claim[], speech: readonly Evidence[]): boolean {
  const { speaker, name, rule } = claim
  const denied = speech
    .filter(row => row.speaker === speaker)
    .some(row => namesDenied(row.text).some(one => areCompatible(one, name)))
  if (denied) return true
  // One name over two voices was shown at the wrong moment at least once; one who says a name of himself knows better than a caption.
  return (
    rule !== 'says so' &&
    claims.some(other => other.speaker !== speaker && partsOf(other.name).length > 0 && areCompatible(other.name, name))
  )
}

function asNames(claims: readonly Claim[]): BoundName[] {
  const names = [...new Set(claims.map(({ name }) => name))]
  const best = fullest(names)
  return names
    .sort((a, b) => Number(b === best) - Number(a === best))
    .map(name => {
      const own = claims.filter(claim => claim.name === name)
      const evidence = [...new Set(own.flatMap(({ because }) => because))]
      return { name, how: own[0]?.how ?? '', evidence }
    })
}

function asMerge({ speaker, name, rule, because }: Claim): Merge {
  return { of: [speaker, name], because, rule: rules[rule] }
}

const rules = {
  'says so': 'the voice says that it is its name',
  announced: 'a host announces the name, and the next new voice answers as the guest',
  shown: 'the name is shown while this voice speaks alone and nobody else is seen',
}

function asUnsure({ speaker, name, how, because }: Claim): Unsure {
  return { text: `${speaker} may be ${name} (${how}), and other rows say otherwise`, evidence: because }
}
