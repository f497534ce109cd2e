// The four categories of LongShOTBench with their tasks, in the order of the report.
export const taskCategories: Record<string, string[]> = {
  'Core Perception Tasks': ['entity_recognition', 'event_understanding', 'temporal_reasoning', 'audio_understanding'],
  'Reasoning Tasks': ['causal_reasoning', 'quantitative_reasoning', 'compositional_reasoning', 'comparative_analysis'],
  'Information Tasks': ['information_retrieval', 'summarization', 'instruction_extraction', 'sentiment_analysis'],
  'Multimodal Tasks': ['multimodal_synthesis', 'cross_modal_verification', 'audio_visual_alignment', 'motion_analysis'],
}

// Tasks that count under another name.
export const taskAliases: Record<string, string> = {
  ocr_text_extraction: 'entity_recognition',
  visual_scene_understanding: 'event_understanding',
  spatial_reasoning: 'temporal_reasoning',
  speech_transcription: 'audio_understanding',
  speaker_identification: 'audio_understanding',
  commonsense_reasoning: 'causal_reasoning',
  mathematical_reasoning: 'quantitative_reasoning',
  pattern_recognition: 'quantitative_reasoning',
  reasoning_tasks: 'quantitative_reasoning',
  counterfactual_reasoning: 'compositional_reasoning',
  question_answering: 'summarization',
  ethical_reasoning: 'sentiment_analysis',
  multimodal_translation: 'motion_analysis',
}

// What a tag on a question is grouped under; any other tag goes to visual, "audio" among them.
export const modalityGroups: Record<string, string> = {
  visual: 'visual',
  audio_environment: 'audio',
  speech: 'speech',
  text: 'visual',
  text_extraction: 'visual',
  text_overlay: 'visual',
  cross_modal_information: 'visual',
  timestamp_identification: 'visual',
  implicit_information: 'visual',
  contextual_interpretation: 'visual',
}
export const modalityNames: Record<string, string> = { visual: 'Visual', audio: 'Audio', speech: 'Speech' }

export const durationBuckets = [
  { name: 'short', from: 0, to: 1800, title: 'Short (<30m)' },
  { name: 'medium', from: 1800, to: 2700, title: 'Medium (30-45m)' },
  { name: 'long', from: 2700, to: Number.POSITIVE_INFINITY, title: 'Long (>45m)' },
]

// The paper's own, of its Table 4.
export const paperDurations = [
  { name: '0-30', from: 0, to: 1800 },
  { name: '30-60', from: 1800, to: 3600 },
  { name: '>60', from: 3600, to: Number.POSITIVE_INFINITY },
]

export function longshotTaskTitle(task: string): string {
  return task
    .split('_')
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
}
