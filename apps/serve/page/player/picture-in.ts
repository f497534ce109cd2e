import type { Box } from '../../../../src/core/evidence.ts'

interface Size {
  width: number
  height: number
}

// Where the picture lies in an element that shows it whole: bars are left at two sides.
function pictureIn(element: Size, picture: Size): Box {
  if (picture.width <= 0 || picture.height <= 0) return { x: 0, y: 0, ...element }
  const scale = Math.min(element.width / picture.width, element.height / picture.height)
  const width = picture.width * scale
  const height = picture.height * scale
  return { x: (element.width - width) / 2, y: (element.height - height) / 2, width, height }
}

// A box in fractions of the picture, in pixels of the element.
export function boxIn(element: Size, picture: Size, box: Box): Box {
  const area = pictureIn(element, picture)
  return {
    x: area.x + box.x * area.width,
    y: area.y + box.y * area.height,
    width: box.width * area.width,
    height: box.height * area.height,
  }
}
