import type { ViewProps } from '../view.ts'

export default function Search(_: ViewProps) {
  return <h1>Search</h1>
}
