import { render } from 'preact'
import './style/page.css'
import { followLinks } from './router.ts'
import { Shell } from './shell.tsx'
import { readToken } from './token.ts'

readToken()
followLinks()
render(<Shell />, document.getElementById('page') as HTMLElement)
