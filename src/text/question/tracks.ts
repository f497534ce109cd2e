import type { Track } from '../../core/evidence.ts'
import { namesSound } from '../sounds.ts'

const speech =
  /\b(sa(y|ys|id|ying)|tells?|told|talk(s|ed|ing)?|sp(eak|eaks|oke|oken|eaking)|mention(s|ed|ing)?|narrat\w+|announc\w+|utter\w*|discuss\w*|transcript|speech|spoken|speakers?|sentences?|voice|explain(s|ed)?|ask(s|ed)?|answer(s|ed)|words? (said|spoken|heard))\b/i
const written =
  /\b(written|writing|slides?|screens?|on-?screen|captions?|titles?|banners?|labels?|headlines?|headings?|whiteboard|blackboard|posters?|text|logo|credits|chart|printed|spelled|page)\b/i
const showingWords = /\b(shown|shows?|showing|displayed|displays?|appears?|appeared|visible|seen?)\b/i
// "What does the sign say": the sign speaks, nobody does.
const signSpeaks =
  /\b(signs?|slides?|screen|captions?|banners?|labels?|titles?|posters?|board|text|page|logo)\b[^,]{0,25}\b(says?|reads?|tells?|states?|mentions?)\b/i

// The tracks that a clause points at by its verbs and nouns; none if it leaves that open.
export function findTracks(text: string): Track[] {
  const tracks = new Set<Track>()
  if (speech.test(text)) tracks.add('speech')
  if (written.test(text) || /\bsigns?\b(?! (up|in|off|on|for|that))/i.test(text)) tracks.add('text')
  if (showingWords.test(text) && !tracks.has('speech')) {
    tracks.add('text')
    tracks.add('picture')
  }
  if (namesSound(text)) tracks.add('sound')
  if (/\b(what|which|how many|kinds? of) ([\w-]+ )?(sounds?|noises?)\b/i.test(text)) return ['sound']
  if (/\b(hear|heard|listen|audible)\b/i.test(text) && !tracks.has('text')) {
    tracks.add('sound')
    tracks.add('speech')
  }
  if (tracks.has('text') && signSpeaks.test(text)) tracks.delete('speech')
  if (/\bshots?\b|\bcuts?\b/i.test(text) && tracks.size === 0) tracks.add('shot')
  return [...tracks]
}
