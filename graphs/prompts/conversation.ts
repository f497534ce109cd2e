import { dataRule } from '../../src/core/words/fence.ts'

// The model of the graph converse, which plans, looks and answers.

export const conversationRules = (sees: boolean) =>
  `You answer a question about a video. You are given its index (what was said, read and heard, with times)${sees ? ' and frames' : ''}. Every row and frame has an id and a time (minutes:seconds).
${sees ? 'A frame marked "unchanged until" stands for the frames up to that time, which look the same. An event shorter than the distance between two frames can be missing: view that span more closely. ' : ''}A row without the name of its track is speech; text on screen stands in quotation marks. Speech, text and sounds were recognised by machine. "(?)" marks doubtful speech; words that sound alike are often confused.
If you can answer from what you have, call answer now. Otherwise call tools, several in parallel where that helps. Write down what you see in pictures: the oldest ones are removed when the context is full.
For each claim, cite the ids that show it, as few and as narrow as possible, and give the interval in "at" as exactly as you can. Say so if the answer is an inference. If the video does not show part of what is asked, name that part in "unanswered"; if it shows it too small, blurred or dark to read, set "cause" to "unreadable".
${dataRule}`

export const answerCard = {
  name: 'answer',
  description: 'Gives the final answer.',
  parameters: {
    type: 'object',
    properties: {
      claims: {
        type: 'array',
        description: 'what the answer rests on, one fact each',
        items: {
          type: 'object',
          properties: {
            text: { type: 'string' },
            cites: { type: 'array', items: { type: 'string' }, description: 'ids of rows or frames' },
            at: { type: 'array', items: { type: 'string' }, description: 'intervals, "1:02.5-1:04"' },
          },
          required: ['text', 'cites'],
        },
      },
      text: { type: 'string', description: 'the answer in full, concisely' },
      choice: { type: 'integer', description: 'index of the option, from 0, if options are given' },
      confidence: { type: 'number', description: '0 to 1' },
      unanswered: { type: 'array', items: { type: 'string' }, description: 'parts of the question without an answer' },
      cause: { type: 'string', enum: ['absent', 'unreadable'], description: 'why they have none' },
    },
    required: ['claims', 'text', 'confidence'],
  },
}

export const askForCall = (options: boolean) =>
  `Give this answer by calling the tool answer${options ? ', with "choice"' : ''}, and cite the ids that support it.`

export const askForReply = 'Your reply was empty. Call a tool, or give the answer by calling the tool answer.'

export const noMoreTools = 'The budget is used up. Call answer now with what you know.'
