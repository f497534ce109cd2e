// What the demo asks, and what the script of its video holds, so that anybody can compare.
export const demoQuestions = [
  {
    kind: 'text on a slide',
    ask: 'How much does the new bridge cost?',
    truth: '18 million, on the slide at 0:18-0:44',
  },
  {
    kind: 'said by a speaker',
    ask: 'Where does the market move to?',
    truth: 'to the old railway station, said at 1:52',
  },
  { kind: 'when', ask: 'When is the siren heard?', truth: 'at 1:24-1:30' },
  { kind: 'how many times', ask: 'How many times does the bell ring?', truth: '3 times, at 0:16, 0:52 and 2:12' },
  { kind: 'not in the video', ask: 'Who won the football match?', truth: 'the video does not say' },
]
