export { Text } from '../../../../src/page/text.tsx'
