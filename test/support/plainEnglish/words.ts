// Words of a private vocabulary that this project once used, and that readers had to learn. Standard terms replace them.

/** In names ("ask" is the other side of a bid and stays): told → published, asked → requested, door → listener, desk → orderManager, room → headroom, and so on. */
export const avoidedInNames: ReadonlySet<string> = new Set(
  `told tell tells telling teller said say says saying asked asking asker askers beside whose whom whoever nobody somebody everybody anybody
  door doors desk desks room rooms bell bells vigil crowd crowds standing stands stood anew heard hear hears hearing doubt doubts doubted doubtful
  fate fates mood moods judged owed owes condemn condemned innocent lonely believed believes believe belief forgotten remembered
  lie lies lied liar belongings elsewhere anyhow outright turnstile deed deeds tenure tenures sworn vouch vouched
  torment`
    .split(/\s+/)
    .filter(Boolean),
)

/** In sentences. Names between backticks are not counted. */
export const avoidedInProse: ReadonlySet<string> = new Set(
  `told tell tells telling said saying asked beside whoever nobody somebody everybody anybody anew heard hears hearing door doors
  desk desks bell bells vigil crowd crowds standing stands stood doubt doubts doubted fate fates judged judges owed owes condemned innocent
  believed believes belongings outright sworn vouched`
    .split(/\s+/)
    .filter(Boolean),
)
