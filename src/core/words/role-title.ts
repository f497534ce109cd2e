// What each role does, for people.
const titles = new Map(
  Object.entries({
    shots: 'find shots',
    voice: 'find voices',
    transcribe: 'transcribe',
    retranscribe: 'transcribe again, closely',
    speakers: 'tell speakers apart',
    readText: 'read text on screen',
    hear: 'recognise sounds',
    listen: 'listen again, closely',
    embedImage: 'search by picture',
    embedText: 'search by meaning',
    planner: 'plan the search',
    writer: 'write answers',
    verifier: 'check answers',
    vision: 'look at frames',
    judge: 'grade benchmarks',
    detect: 'find objects',
    faces: 'recognise faces',
  }),
)

export function roleTitle(role: string): string {
  return titles.get(role) ?? role
}
