// Short forms of English given names that share too few letters to be recognized by their spelling. From the common hypocorisms of
// English (Wiktionary, "Appendix:English given names"); forms of several names are left out.

const table = `robert: bob rob bobby robbie
william: bill will billy liam
richard: rick dick rich ricky
edward: ed eddie ted
theodore: theo
michael: mike mick mikey
james: jim jimmy jamie
john: jack johnny jon
jonathan: jon jonny
joseph: joe joey
joshua: josh
charles: charlie chuck
thomas: tom tommy
matthew: matt
daniel: dan danny
david: dave
anthony: tony
andrew: andy drew
gregory: greg
stephen: steve steven
steven: steve stephen
christopher: chris
corey: cory
nicholas: nick
peter: pete
patrick: pat
timothy: tim
kenneth: ken
ronald: ron
donald: don
samuel: sam
benjamin: ben
alexander: alex
zachary: zach
jeffrey: jeff
geoffrey: geoff
lawrence: larry
raymond: ray
phillip: phil
gerald: gerry jerry
bernard: bernie
vincent: vince
eugene: gene
frederick: fred
leonard: len leo
elizabeth: liz beth betsy eliza
katherine: kate kathy katie
catherine: cathy kate
margaret: maggie meg peggy
jennifer: jen jenny
jessica: jess
susan: sue susie
deborah: deb debbie
patricia: pat patty
rebecca: becky
victoria: vicky
kimberly: kim
christine: chris tina
abigail: abby
alexandria: alex
pamela: pam
francis: frank
salvador: sal
vivek: vive`

const forms = new Map<string, Set<string>>()
for (const line of table.split('\n')) {
  const [full = '', short = ''] = line.split(': ')
  for (const form of short.split(' ')) forms.set(form, (forms.get(form) ?? new Set()).add(full))
}

/** "Mike" and "Michael", "Bob" and "Rob": one may replace the other. */
export function sameGivenName(a: string, b: string): boolean {
  const [x, y] = [forms.get(a), forms.get(b)]
  if (x?.has(b) === true || y?.has(a) === true) return true
  return x !== undefined && y !== undefined && [...x].some((name) => y.has(name))
}

const given = new Set([...forms].flatMap(([form, names]) => [form, ...names]))
export const isGivenName = (word: string): boolean => given.has(word)
