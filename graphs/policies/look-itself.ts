import type { Policy } from '../session.ts'

// A planner that sees gets the frames of a look as pictures in its own prompt, and not the words of `models.vision` about them. What it
// says of them becomes rows (`graphs/sight/remarks.ts`); where it says nothing it is asked once. Looks that are made while a draft is
// checked, which it does not see, go to `models.vision`. Off unless it is switched on.
export default { looks: true } satisfies Policy
