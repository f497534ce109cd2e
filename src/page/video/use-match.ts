import { type ReadonlySignal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

export function useMatch(query: string): ReadonlySignal<boolean> {
  const matches = useSignal(matchMedia(query).matches)
  useEffect(() => {
    const media = matchMedia(query)
    const look = () => {
      matches.value = media.matches
    }
    media.addEventListener('change', look)
    return () => media.removeEventListener('change', look)
  }, [query, matches])
  return matches
}
