import { routeOf } from '../../src/text/question/route.ts'
import type { Policy } from '../session.ts'

// Tells a fact, a moment, a count, an order, a summary, text on screen, a sound, a comparison and presence apart, and tells
// the planner how such questions are answered.
export default {
  begin: ({ parts: { question } }) => ({ route: routeOf(question.text, question.options) }),
} satisfies Policy
