import type { Evidence } from '../../../src/core/evidence.ts'
import { overlap, type Span } from '../../../src/core/time.ts'
import { givenNames } from '../../../src/text/people/given-names.ts'
import { answersAsGuest, guestAnnounced } from '../../../src/text/people/introduced.ts'
import { areCompatible, splitPersonName } from '../../../src/text/people/name-form.ts'
import { namesDenied, namesOfSelf } from '../../../src/text/people/self-naming.ts'
import { readShownName, type ShownName } from '../../../src/text/people/shown-name.ts'
import { crowdRange, type PeopleView, showsOne } from './people-view.ts'

// That a name is a speaker's, with the rows that say so.
export interface NameClaim {
  speaker: string
  name: string
  how: string
  rule: 'says so' | 'announced' | 'shown'
  because: string[]
}

// What the rows say of whose names are whose, each for itself; whether they agree is seen later.
export function collectClaims(seen: PeopleView): NameClaim[] {
  return [...spokenClaims(seen.speech), ...announcedClaims(seen.speech), ...shownClaims(seen)]
}

const near = 5 // seconds to the line before or after that can make a quotation of one

function spokenClaims(speech: readonly Evidence[]): NameClaim[] {
  return speech.flatMap((row, at) => {
    const { speaker } = row
    if (!speaker) return []
    const [previous, next] = [speech[at - 1], speech[at + 1]]
    const around = {
      before: previous && row.span.start - previous.span.end <= near ? previous.text : '',
      after: next && next.span.start - row.span.end <= near ? next.text : '',
    }
    return namesOfSelf(row.text, around).map(({ name, words }) => ({
      speaker,
      name,
      how: `says so: "${words}"`,
      rule: 'says so' as const,
      because: [row.id],
    }))
  })
}

const guestSpeaks = 20 // seconds after a host announced somebody

// The next voice is the guest's where it was never heard before, and answers as only a guest does.
function announcedClaims(speech: readonly Evidence[]): NameClaim[] {
  return speech.flatMap((row, at) => {
    const name = row.speaker === undefined ? undefined : guestAnnounced(row.text)
    if (name === undefined) return []
    const heard = new Set(speech.slice(0, at + 1).map(({ speaker }) => speaker))
    const reply = speech.slice(at + 1).find(({ speaker }) => speaker !== row.speaker)
    const between = reply ? speech.slice(at + 1, speech.indexOf(reply)) : []
    const before = speech.slice(speech.findLastIndex((one, i) => i < at && one.speaker !== row.speaker) + 1, at)
    const several =
      before.some(({ text }) => guestAnnounced(text)) || between.some(({ text }) => namesAnother(text, name))
    if (several) return [] // whoever speaks then is one of them
    if (!reply?.speaker || heard.has(reply.speaker) || reply.span.start - row.span.end > guestSpeaks) return []
    if (!answersAsGuest(reply.text, name)) return []
    const how = `announced by ${row.speaker}, and answers as the guest: "${reply.text.slice(0, 120)}"`
    return [{ speaker: reply.speaker, name, how, rule: 'announced' as const, because: [row.id, reply.id] }]
  })
}

function namesAnother(line: string, name: string): boolean {
  return words(line).some(word => givenNames.has(word) && !splitPersonName(name).includes(word))
}

const margin = 1 // seconds around a caption in which nobody else may speak

function shownClaims(seen: PeopleView): NameClaim[] {
  return seen.text.flatMap(row => {
    const shownName = readShownName(row.text)
    if (!shownName) return []
    const around = { start: row.span.start - margin, end: row.span.end + margin }
    const spoken = seen.speech.filter(({ span }) => overlap(span, around) > 0)
    const speakers = new Set(spoken.map(({ speaker }) => speaker))
    const [speaker] = speakers
    if (speakers.size !== 1 || speaker === undefined) return []
    const seconds = spoken.reduce((sum, { span }) => sum + overlap(span, row.span), 0)
    if (seconds < 1 || !isAlone(seen, row.span) || isOneOfSeveral(seen, row, shownName.name)) return []
    if (isMentioned(seen.speech, row.span, shownName.name)) return []
    const during = spoken.filter(({ span }) => overlap(span, row.span) > 0)
    if (isAsking(during) || isTellingOfOthers(during) || (isCredit(shownName) && !crowdRange(seen, row.span))) return []
    const lines = during.map(({ id }) => id)
    const how = `shown while only this voice speaks: "${row.text.replace(/\s*\n\s*/g, ' / ')}"`
    return [{ speaker, name: shownName.name, how, rule: 'shown' as const, because: [row.id, ...lines.slice(0, 3)] }]
  })
}

// Where faces were looked for or clips described, exactly one must be there: a voice may tell of whom the picture shows.
export function isAlone(seen: PeopleView, span: Span): boolean {
  const crowd = crowdRange(seen, span)
  return crowd === undefined || (crowd.fewest === 1 && crowd.most === 1 && showsOne(seen, span))
}

// Another name is shown meanwhile, as where a picture is split.
export function isOneOfSeveral({ text }: Pick<PeopleView, 'text'>, row: Evidence, name: string): boolean {
  return text.some(other => {
    const otherName = other.id === row.id || overlap(other.span, row.span) <= 0 ? undefined : readShownName(other.text)
    return otherName !== undefined && !areCompatible(otherName.name, name)
  })
}

// Who says the name around it tells of somebody, or says that it is somebody else, but for who names himself.
function isMentioned(speech: readonly Evidence[], span: Span, name: string): boolean {
  const around = { start: span.start - near, end: span.end + near }
  const [given = name] = splitPersonName(name)
  return speech.some(({ span, text }) => {
    if (overlap(span, around) <= 0 || !words(text).includes(given)) return false
    return !namesOfSelf(text).some(self => areCompatible(self.name, name)) || namesDenied(text).length > 0
  })
}

// Who asks while a name is shown is seldom the one who is shown, but the one who interviews.
function isAsking(lines: readonly Evidence[]): boolean {
  return lines.some(({ text }) => /[?？]\s*$/u.test(text))
}

// A voice that tells of him or her, and not of itself, as over pictures.
function isTellingOfOthers(lines: readonly Evidence[]): boolean {
  const spokenWords = lines.flatMap(({ text }) => words(text))
  const has = (some: readonly string[]) => spokenWords.some(word => some.includes(word))
  return has(['he', 'she', 'his', 'her', 'him', 'hers']) && !has(['i', 'my', 'me', 'we', 'our', 'us', 'mine'])
}

// The opening credits of a film name who made it, and not who speaks.
function isCredit({ role = '' }: ShownName): boolean {
  return /^(?:(?:co-|executive |associate )?(?:director|producer|editor|writer|author|composer)|narrator|narration)$/i.test(
    role,
  )
}

function words(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}-]+/gu) ?? []
}
