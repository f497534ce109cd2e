import { Verdict } from '../../src/core/agent.ts'
import { dataRule } from '../../src/core/words/fence.ts'

// Prompts of the graph converse, version 2.

export const conversationRules = (sees: boolean) =>
  `You answer a question about one video from its timed index${sees ? ' and frames' : ''}. Every row and frame has an id and a time (minutes:seconds).
${sees ? 'A frame marked "unchanged until" stands for those left out after it, which look the same. Something shorter than the distance of two frames can be missed: view that span more closely. ' : ''}Speech, text and sounds were recognised by machines: "(?)" marks doubtful speech; words that sound alike are often swapped.
If what you have settles the question, call answer at once; otherwise call tools, several side by side where you can. Write down what you see in pictures: the oldest ones leave when room runs out.
In an answer cite for each claim the ids that show it, as few and as narrow as will do, and name the interval in "at" as closely as you can tell. Say when an answer is an inference. If the video does not show part of what is asked, name it in "unanswered".
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
    },
    required: ['claims', 'text', 'confidence'],
  },
}

export const askForCall = (options: boolean) =>
  `Give this answer by calling the tool answer${options ? ', with "choice"' : ''}, and cite the ids that it rests on.`

export const askForReply = 'Your reply was empty. Call a tool, or give the answer by calling the tool answer.'

export const noMoreTools = 'The budget is used up. Call answer now with what you know.'

export const claimCheckRules = `You check claims about a video against the rows and frames that they cite. For each claim write the reason first, then the verdict: supported (they show it), follows (a reasonable inference from them), contradicted (they show otherwise), unseen (they do not decide it). Frames just before and after a cited frame are given as context.
${dataRule}`

export const claimVerdictsSchema = {
  name: 'claim_verdicts',
  schema: {
    type: 'object',
    properties: {
      claims: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            claim: { type: 'integer' },
            reason: { type: 'string' },
            verdict: { type: 'string', enum: [...Verdict.options] },
          },
          required: ['claim', 'reason', 'verdict'],
          additionalProperties: false,
        },
      },
    },
    required: ['claims'],
    additionalProperties: false,
  },
}
