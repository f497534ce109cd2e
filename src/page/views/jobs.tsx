import type { ViewProps } from '../view.ts'

export default function Jobs(_: ViewProps) {
  return <h1>Jobs</h1>
}
