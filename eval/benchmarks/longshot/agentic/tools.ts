import type { ToolDefinition } from './criteria.ts'

// The tools of the agentic part by the names and inputs that the paper gives them, in our words.
export const ownTools: (ToolDefinition & { description: string })[] = [
  tool('transcribe_speech', ['timestamp', 'language?'], 'what is said in a part of the video, with times'),
  tool('extract_scene_text', ['timestamp', 'language?'], 'what is written in the picture'),
  tool('count_objects', ['timestamp', 'object_query'], 'how many of something are seen'),
  tool('object_detection', ['timestamp', 'categories[]'], 'which things are seen, and where in the picture'),
  tool('extract_math_exp', ['timestamp', 'language?'], 'formulas that are shown'),
  tool('calculator', ['expression'], 'calculates'),
  tool('web_search', ['query', 'num_results?'], 'searches the web'),
  tool('detect_audio_events', ['timestamp'], 'sounds that are not speech'),
  tool('execute_code', ['code', 'language', 'inputs?'], 'runs code in a sandbox'),
  tool('detect_activities', ['timestamp'], 'what people do'),
  tool('summarize_segment', ['timestamp', 'text', 'length'], 'sums up a part of the video'),
  tool('detect_faces', ['timestamp'], 'who is seen'),
  tool('cross_modal_search', ['query', 'modalities', 'k'], 'finds moments by words, over picture and sound'),
  tool('memory_tool', ['func', 'data'], 'keeps, gives back or forgets something'),
  tool('translate_speech', ['timestamp', 'from_lang', 'to_lang'], 'translates what is said'),
  tool('translate_text', ['text', 'from_lang', 'to_lang'], 'translates a text'),
]

function tool(name: string, inputs: string[], description: string) {
  return { name, inputs, description }
}
