import { channels, type RunState, type Update } from '../../graphs/state.ts'

// The state as a run begins with it.
export function freshState(begun: Update): RunState {
  const start = Object.fromEntries(Object.entries(channels).map(([name, one]) => [name, one.default()]))
  return { ...(start as RunState), ...begun }
}
