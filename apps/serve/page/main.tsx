import { render } from 'preact'
import './style/page.css'
import { followLinks } from './router.ts'
import { Shell } from './shell.tsx'
import { readToken, shareToken } from './token.ts'

readToken()
shareToken()
followLinks()
render(<Shell />, document.getElementById('page') as HTMLElement)
