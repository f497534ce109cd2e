import type { TrackWord } from '../matrix/change.ts'

// Tools that make rows of a track while a question is answered: without the track they are off as well, or the row would show
// what an index of it is worth and not what the track is worth.
const makers: Record<TrackWord, readonly string[]> = {
  speech: ['transcribe', 'transcribe_speech', 'translate_speech'],
  text: ['read_text', 'extract_scene_text', 'extract_math_exp'],
  sound: ['listen', 'detect_audio_events'],
  picture: ['look', 'count_objects', 'object_detection', 'detect_activities', 'detect_faces'],
}

export function toolsOfTrack(track: string): readonly string[] {
  return makers[track as TrackWord] ?? []
}
