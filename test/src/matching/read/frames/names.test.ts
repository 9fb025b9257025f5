import { expect, test } from 'vitest'
import { phraseOf } from '#matching/compare/frames/arguments'
import { compareNames } from '#matching/read/frames/names'

const points = (a: string, b: string, people: boolean): number | null =>
  compareNames(phraseOf(a), phraseOf(b), people).points

test.each([
  ['robert f kennedy jr', 'rfk jr'],
  ['j.d. vance', 'jd vance'],
  ['ashley b. moody', 'ashley moody'],
  ['hilary clinton', 'hillary clinton'],
  ['corey booker', 'cory booker'],
  ['mike johnson', 'michael johnson'],
  ['fridolin ambongo', 'fridolin ambongo besungu'],
  ['hegseth', 'pete hegseth'],
  ['senator susan collins', 'susan collins'],
  ['zohran madani', 'zohran mamdani'],
])('%s is %s', (a, b) => {
  expect(points(a, b, true), a).toBeLessThanOrEqual(6)
  expect(points(b, a, true), b).toBe(points(a, b, true))
})

test.each([
  ['donald trump jr', 'donald trump'],
  ['lara trump', 'trump'],
  ['desantis', 'casey desantis'],
  ['smith', 'mark smith'],
  ['thomas smith', 'mark smith'],
  ['john fetterman', 'john kennedy'],
  ['jannik sinner', 'jannik winner'],
  ['paul martin', 'paula martin'],
  ['x', 'y'],
])('%s is not %s', (a, b) => {
  expect(points(a, b, true)).toBeNull()
})

test.each([
  ['moana', 'moana 2'],
  ['moana 2', 'moana 3'],
  ['plan', 'plan b'],
  ['king richard', 'richard'],
  ['higher', 'higher love'],
  ['dune', 'dune: part two'],
  ['x', 'y'],
])('does not verify the work %s as %s', (a, b) => {
  expect(points(a, b, false) ?? 60).toBeGreaterThan(10)
})

test('ignores the article and the form in names of clubs and parties', () => {
  expect(points('the liberal party', 'liberals', false)).toBeLessThanOrEqual(3)
  expect(points('the roses', 'roses', false)).toBe(0)
})
