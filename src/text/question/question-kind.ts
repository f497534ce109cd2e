import type { Track } from '../../core/evidence.ts'
import type { ParsedQuestion, QuestionKind } from './parsed-question.ts'
import type { Topic } from './topic.ts'

// What sort of answer a question wants; `main` is the question without its anchor and times.
export function classifyQuestion(asked: Omit<ParsedQuestion, 'kind'>, main: string): QuestionKind {
  const { topic, unit } = asked
  const anchor = asked.anchor?.loose ? undefined : asked.anchor
  if (
    asked.items.length > 1 ||
    /\b(in (what|which) order|what (is|was) the (order|sequence)|chronological|in order of)\b/i.test(main)
  )
    return 'order'
  if (speaking.test(main) || (asked.speaker && speakingOfOne.test(main))) return 'speaking'
  if (isSummary(main, topic)) return asked.moment === undefined ? 'summary' : 'at-time'
  if (
    /\b(how many (?:separate |different |distinct )?times|number of times|how many occurrences)\b/i.test(main) ||
    (/\bhow often\b/i.test(main) && (asked.tracks.length > 0 || /\b(occurs?|happens?)\b/i.test(main)))
  )
    return topic.terms.length === 0 && unit ? 'count-units' : 'count'
  if (/\b(how many|number of|count (the|all|how))\b/i.test(main) && unit && structural(main)) return 'count-units'
  if (whens.some(pattern => pattern.test(main))) return 'when'
  if (anchor && anchor.relation !== 'during') return 'neighbour'
  if (anchor) return 'during'
  if (asked.nth !== undefined && unit && topic.terms.length === 0) return 'contents'
  if (asked.span && topic.terms.length === 0) return 'at-time'
  if (presences.some(pattern => pattern.test(main))) return 'presence'
  if (needsEyes(main, asked.tracks)) return 'picture'
  if (topic.terms.length === 0) return 'contents'
  if (
    /\b(about|regarding|concerning|on the (topic|subject) of)\b/i.test(main) &&
    /^(what|which)\b/i.test(main) &&
    /\b(say|said|says|tell|told|mention|talk|written|show|learn|hear|explain|discuss)/i.test(main)
  )
    return 'about'
  return 'fact'
}

const speaking =
  /\b(who|(which|what) (speaker|person)) (speaks?|talks?|spoke|talked|is (speaking|talking)|has (spoken|talked)) (for )?(the )?(most|longest|least|shortest)( time)?\b|\bhow (long|much) (does|do|did) (each|every)( \w+)?( of them)? (speak|talk)\b/i
const speakingOfOne = /\bhow (long|much) (does|did|has) .{1,60}\b(speak|talk|spoken|talked)\W*$/i

const summaries = [
  /\b(summar(y|i[sz]e)|sum up|overview|gist|key (points|takeaways|moments)|main (idea|ideas|topic|topics|point|points|theme|message|subject))\b/i,
  /\bwhat (is|was|'s) (this|the|that)( \w+)? (video|clip|film|movie|recording|talk|lecture|presentation|footage)( mainly| mostly| all)? about\b/i,
  /^(describe|explain|outline) (the|this) (video|clip|film|recording|talk|lecture)/i,
]
const happenings = /\bwhat (happens|happened|is happening|goes on|is going on)\b/i

function isSummary(main: string, topic: Topic): boolean {
  return summaries.some(pattern => pattern.test(main)) || (topic.terms.length === 0 && happenings.test(main))
}

const whens = [
  /^(when|since when)\s+(is|are|was|were|does|do|did|has|have|can|could|will|would|exactly|in the)\b/i,
  /\b(at|around|from|by|until) (what|which) (exact )?(time|moment|point|second|minute|timestamp|time ?stamp)\b/i,
  /\b(what|which) (is the )?(timestamp|time ?code|moment|part of the (video|clip|film))\b/i,
  /\b(what|which) time\b.*\b(video|clip|shown|said|mentioned|appears?|heard|displayed|played)\b/i,
  /\b(how (long|far|many (seconds|minutes)) into)\b/i,
  /^(where in the (video|clip|film|recording)|find (the|me the|all)? ?(moments?|times?|part|place)|locate)\b/i,
]
const presences = [
  /^(is|are|was|were) there\b/i,
  /^(does|do|did|is|are|was|were|has|have|can)\b.*\b(mention(ed|s)?|appears?|shown|show|visible|seen|heard|hear|said|say|spoken|anywhere|at all|ever|contain|include|displayed|written|talk about|in (the|this) (video|clip|film|recording))\b/i,
  /^(does|do|did) (anyone|anybody|someone|somebody|the (video|clip|film|speaker|narrator))\b/i,
]

// What only a look at the picture can tell, unless somebody says it.
function needsEyes(main: string, tracks: readonly Track[]): boolean {
  if (/\b(what|which) colou?r/i.test(main) && !tracks.includes('speech') && !tracks.includes('sound')) return true
  if (tracks.includes('speech') || (tracks.includes('text') && !tracks.includes('picture')) || tracks.includes('sound'))
    return false
  return /\b(wear(s|ing)?|worn|dressed|hold(s|ing)|look(s|ing)? like|colou?rs?|hair|shirt|face|faces|facial|gesture|standing|sitting|walking|running|shapes?|circles?|squares?|triangles?|rings?|diamonds?|cross(es)?|objects?|in the background|on the (left|right|table|wall|floor)|visible|camera angle|how many (people|persons|men|women|children|cars|dogs|animals|objects) (are|can|appear|do you see))\b/i.test(
    main,
  )
}

function structural(main: string): boolean {
  return /\bhow many (different |distinct |separate |unique |total |individual )?(slides?|shots?|scenes?|cuts?|beeps?|tones?|bells?|sounds?|noises?|knocks?|barks?|sirens?|alarms?|chimes?|claps?|signs?|captions?|titles?|text\w*|screens?|sentences?|lines?|speakers?|voices?|(people|persons) (speak|talk|are (speaking|talking))|buzz\w*|rings?|clicks?|whistles?|bangs?)\b|\bnumber of (slides?|shots?|scenes?|cuts?|beeps?|tones?|sounds?|signs?|captions?|speakers?)\b|\bcount (the|all)/i.test(
    main,
  )
}
