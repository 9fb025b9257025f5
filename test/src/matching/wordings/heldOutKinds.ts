// Pairs as two venues word their markets, by kind of question: departures, withdrawals, recognition, first rounds,
// charts, deadlines, maxima within a window, net poll ratings, mentions of words, chairs. Written in one go before the
// matcher read any of them; none is part of a labelled set.
import { type HeldOut, heldOutOf } from './heldOut.ts'

const table = `
= Will Dana Whitlow be out as Senate Majority Leader before 2027? @KXWHITLOWOUT-27 <> Dana Whitlow out as Senate Majority Leader by December 31?
= Will Dana Whitlow leave as Senate Majority Leader this year? @KXWHITLOWOUT-26DEC31 <> Dana Whitlow out as Senate Majority Leader by December 31, 2026?
= Will Dana Whitlow step down as Senate Majority Leader before Jan 1, 2027? <> Will Dana Whitlow step down as Senate Majority Leader by December 31, 2026?
= Will Rolf Egger cease to be Chancellor of Austria before Jul 1, 2027? <> Rolf Egger out as Austrian Chancellor by June 30, 2027?
= When will Rolf Egger leave office? # Before Jul 1, 2027 <> Rolf Egger out by June 30, 2027?
= Rolf Egger out as Chancellor of Austria? # Before 2027 <> Will Rolf Egger leave office as Chancellor of Austria by December 31, 2026?
= Will Rolf Egger no longer be Chancellor of Austria before 2027? <> Rolf Egger out as Chancellor of Austria in 2026?
= Will Petra Lund be out as CEO of Volvo by December 31, 2026? <> Petra Lund out as Volvo CEO before 2027?
= Will Coach Biggs Tanner be out as head coach of the Gophers before Dec 1, 2026? <> Biggs Tanner out as Gophers head coach by November 30?
! Will Dana Whitlow be out as Senate Majority Leader before 2027? @KXWHITLOWOUT-27 <> Dana Whitlow out as Senator by December 31, 2026?
! Will Dana Whitlow be out as Senate Majority Leader before 2027? @KXWHITLOWOUT-27 <> Will Dana Whitlow resign from the Senate by December 31, 2026?
! Will Dana Whitlow be out as Senate Majority Leader before 2027? @KXWHITLOWOUT-27 <> Dana Whitlow announces resignation as Senate Majority Leader by December 31, 2026?
! Will Dana Whitlow be out as Senate Majority Leader before 2027? @KXWHITLOWOUT-27 <> Dana Whitlow out as Senate Minority Leader by December 31, 2026?
! Will Rolf Egger cease to be Chancellor of Austria before Jul 1, 2027? <> Rolf Egger out as Austrian Chancellor by June 30, 2026?
! When will Rolf Egger leave office? # Before Jul 1, 2027 <> Rolf Egger out by July 31, 2027?
! Will Rolf Egger no longer be Chancellor of Austria before 2027? <> Rolf Egger out as Foreign Minister of Austria in 2026?
! Will Petra Lund be out as CEO of Volvo by December 31, 2026? <> Petra Lund out as Volvo Cars chair before 2027?
! Who will be the next to leave as CEO of Volvo? # Petra Lund <> Petra Lund out as Volvo CEO before 2027?
= Will Ned Carrow drop out of the mayoral race? <> Ned Carrow drops out of mayoral race?
= Will Ned Carrow drop out of the Denver mayoral race before Nov 3, 2026? <> Will Ned Carrow withdraw from the Denver mayoral race by November 2?
= Who will drop out of the Denver mayoral race? # Ned Carrow <> Will Ned Carrow drop out of the Denver mayoral race?
= Will Ned Carrow drop out of the race for Mayor of Denver? <> Ned Carrow drops out of the Denver mayoral race?
= Will Ned Carrow end his campaign before Mar 1, 2027? <> Ned Carrow ends campaign by February 28, 2027?
= Will Ned Carrow suspend his campaign before Mar 1, 2027? <> Will Ned Carrow suspend his campaign by February 28, 2027?
! Will Ned Carrow drop out of the Denver mayoral race before Nov 3, 2026? <> Will Ned Carrow lose the Denver mayoral race by November 2?
! Who will drop out of the Denver mayoral race? # Ned Carrow <> Will Ned Carrow be the first to drop out of the Denver mayoral race?
! Who will drop out of the Denver mayoral race? # Ned Carrow <> Will Ned Carrow drop out of the Colorado governor race?
! Will Ned Carrow drop out of the Denver mayoral race before Nov 3, 2026? <> Will Ned Carrow drop out of the Denver mayoral race by October 2?
! Will Ned Carrow suspend his campaign before Mar 1, 2027? <> Will Ned Carrow resume his campaign by February 28, 2027?
! Will Ned Carrow drop out of the mayoral race? <> Will Ned Carrow endorse someone in the mayoral race?
= Which countries will recognize Somaliland before 2027? # Kenya <> Will Kenya recognize Somaliland by December 31, 2026?
= Will Kenya recognize Somaliland this year? @KXRECOGSOM-26DEC31-KEN <> Kenya recognizes Somaliland by December 31?
= Will Kenya officially recognize Somaliland before Jan 1, 2027? <> Will Kenya recognise Somaliland in 2026?
= Who will recognize the new Sudanese government? # Egypt <> Will Egypt recognize the new Sudanese government?
= Will Egypt recognize Sudan's new government before 2027? <> Egypt recognizes new government of Sudan by December 31, 2026?
= Will Egypt formally recognize the Sudanese government before 2027? <> Will Egypt recognize Sudan's government by December 31, 2026?
! Which countries will recognize Somaliland before 2027? # Kenya <> Will Kenya recognize Somalia by December 31, 2026?
! Which countries will recognize Somaliland before 2027? # Kenya <> Will Kenya open an embassy in Somaliland by December 31, 2026?
! Which countries will recognize Somaliland before 2027? # Kenya <> Will Somaliland be recognized by Ethiopia by December 31, 2026?
! Will Egypt recognize Sudan's new government before 2027? <> Will Sudan recognize Egypt's new government by December 31, 2026?
! Will Egypt recognize Sudan's new government before 2027? <> Will Egypt recognize the RSF government by December 31, 2026?
! Which countries will recognize Somaliland before 2027? # Kenya <> Will any country recognize Somaliland by December 31, 2026?
! Who will recognize the new Sudanese government? # Egypt <> Will Egypt withdraw recognition of the new Sudanese government?
= Who will win the first round of the Ecuadorian presidential election? # Luz Andrade @KXECU1R-27-LAND <> Will Luz Andrade win the 1st round of the Ecuador presidential election?
= Will Luz Andrade win the 1st round of the Ecuador presidential election? <> Will Luz Andrade win the most votes in the first round of the Ecuador presidential election?
= Who will finish first in the first round of the Ecuadorian election? # Luz Andrade <> Will Luz Andrade finish first in the first round of the Ecuadorian election?
= Who will advance to the runoff in Ecuador? # Luz Andrade <> Will Luz Andrade advance to the Ecuador runoff?
= Who will advance to the second round of the Ecuadorian presidential election? # Luz Andrade <> Will Luz Andrade advance to the runoff of the Ecuador presidential election?
= Will Luz Andrade qualify for the runoff in the Ecuador presidential election? <> Will Luz Andrade advance to the runoff of the Ecuador presidential election?
! Who will win the first round of the Ecuadorian presidential election? # Luz Andrade @KXECU1R-27-LAND <> Will Luz Andrade win the Ecuador presidential election?
! Who will win the first round of the Ecuadorian presidential election? # Luz Andrade @KXECU1R-27-LAND <> Will Luz Andrade win the Ecuador presidential election in the first round?
! Who will advance to the runoff in Ecuador? # Luz Andrade <> Will Luz Andrade win the Ecuador runoff?
! Who will win the first round of the Ecuadorian presidential election? # Luz Andrade @KXECU1R-27-LAND <> Will Luz Andrade win the second round of the Ecuador presidential election?
! Who will win the first round of the Ecuadorian presidential election? # Luz Andrade @KXECU1R-27-LAND <> Will Luz Andrade finish second in the first round of the Ecuador presidential election?
! Who will advance to the runoff in Ecuador? # Luz Andrade <> Will there be a runoff in Ecuador?
= Top song on Spotify Wrapped 2026? # Neon Harbor <> Will "Neon Harbor" be the top song on Spotify Wrapped 2026?
= Who will be the top artist on Apple Music in 2026? # Lio Vance <> Will Lio Vance be Apple Music's top artist of 2026?
= Best Rock Album at the Billboard Awards? # Ash & Salt @KXBBROCK-26-ASH <> Will "Ash & Salt" win Best Rock Album at the 2026 Billboard Awards?
= Top Country Artist at the Billboard Music Awards? # Lio Vance @KXBBCOUNTRY-26-LIO <> Will Lio Vance win Top Country Artist at the 2026 Billboard Music Awards?
= Will Lio Vance be the Top Country Artist at the 2026 Billboard Music Awards? <> Will Lio Vance win Top Country Artist at the Billboard Music Awards? @B-26
= Which album will be #1 on the Billboard 200 for the week of December 5, 2026? # Ash & Salt <> Will Ash & Salt be #1 on the Billboard 200 for the week of December 5?
! Top song on Spotify Wrapped 2026? # Neon Harbor <> Will "Neon Harbor" be a top 5 song on Spotify Wrapped 2026?
! Top song on Spotify Wrapped 2026? # Neon Harbor <> Will "Neon Harbor" be the top album on Spotify Wrapped 2026?
! Top Country Artist at the Billboard Music Awards? # Lio Vance @KXBBCOUNTRY-26-LIO <> Will Lio Vance win Top Country Song at the 2026 Billboard Music Awards?
! Top Country Artist at the Billboard Music Awards? # Lio Vance @KXBBCOUNTRY-26-LIO <> Will Lio Vance be nominated for Top Country Artist at the 2026 Billboard Music Awards?
! Top Country Artist at the Billboard Music Awards? # Lio Vance @KXBBCOUNTRY-26-LIO <> Will Lio Vance win Top Male Country Artist at the 2026 Billboard Music Awards?
! Which album will be #1 on the Billboard 200 for the week of December 5, 2026? # Ash & Salt <> Will Ash & Salt be #1 on the Billboard 200 for the week of December 12?
! Which album will be #1 on the Billboard 200 for the week of December 5, 2026? # Ash & Salt <> Will Ash & Salt be #1 on the Billboard Hot 100 for the week of December 5?
! Who will be the top artist on Apple Music in 2026? # Lio Vance <> Will Lio Vance be Spotify's top artist of 2026?
= How high will Ethereum get this year? # Above $6,000 @KXETHMAXY-26DEC31-6000 <> Will Ethereum hit $6,000 by December 31, 2026?
= How high will Ethereum get in 2026? # $6,000 or above <> Will Ethereum reach $6,000 in 2026?
= When will Ethereum hit $6,000? # Before Jan 1, 2027 <> Will Ethereum hit $6,000 by December 31, 2026?
= Will Ethereum hit $6,000 again before 2027? <> Will Ethereum hit $6,000 again by December 31, 2026?
= Will Ethereum reach $6k before 2027? <> Ethereum hits $6,000 by December 31, 2026?
= How low will Ethereum get this year? # Below $1,500 @KXETHMINY-26DEC31-1500 <> Will Ethereum dip to $1,500 by December 31, 2026?
= How low will Ethereum get in 2026? # Below $1,500 <> Will Ethereum drop to $1,500 in 2026?
= How high will Nvidia get this year? # Above $300 @KXNVDAMAX-26DEC31-300 <> Will Nvidia hit $300 by December 31, 2026?
! How high will Ethereum get this year? # Above $6,000 @KXETHMAXY-26DEC31-6000 <> Will Ethereum hit $6,500 by December 31, 2026?
! How high will Ethereum get this year? # Above $6,000 @KXETHMAXY-26DEC31-6000 <> Will Ethereum be above $6,000 on December 31, 2026?
! How high will Ethereum get this year? # Above $6,000 @KXETHMAXY-26DEC31-6000 <> Will Ethereum dip to $6,000 by December 31, 2026?
! How high will Ethereum get this year? # Above $6,000 @KXETHMAXY-26DEC31-6000 <> Will Bitcoin hit $6,000 by December 31, 2026?
! How low will Ethereum get this year? # Below $1,500 @KXETHMINY-26DEC31-1500 <> Will Ethereum hit $1,500 by December 31, 2026?
! When will Ethereum hit $6,000? # Before Jan 1, 2027 <> Will Ethereum hit $6,000 by November 30, 2026?
! When will Ethereum hit $6,000? # Before Jan 1, 2027 <> Will Ethereum close above $6,000 by December 31, 2026?
! How high will Ethereum get in 2026? # $6,000 or above <> Will Ethereum reach $6,000 in 2027?
! Will Ethereum hit $6,000 before 2027? <> Will Ethereum hit $6,000 or Solana hit $500 by December 31, 2026?
! Will Ethereum hit $6,000 before 2027? <> Will Ethereum hit an all-time high by December 31, 2026?
= What will Mayor Holt's net approval be on December 1, 2026? # Above -5 <> Will Mayor Holt's net approval rating be above -5 on December 1?
= Governor Reyna's net approval on Dec 1, 2026? # Above 3% <> Will Governor Reyna's net approval rating be greater than 3% on December 1?
= Reyna net favorability on November 30? # -4.0 or above @KXREYNANET-26NOV30-4 <> Will Reyna's net favorability be -4.0 or higher on November 30?
= Reyna approval rating on November 30? # 45.0% to 45.9% @KXREYNAAPP-26NOV30-45 <> Will Reyna's approval rating be between 45.0% and 45.9% on November 30?
! Reyna net favorability on November 30? # -4.0 or above @KXREYNANET-26NOV30-4 <> Will Reyna's net favorability be 4.0 or higher on November 30?
! Reyna net favorability on November 30? # -4.0 or above @KXREYNANET-26NOV30-4 <> Will Reyna's net approval be -4.0 or higher on November 30?
! Reyna net favorability on November 30? # -4.0 or above @KXREYNANET-26NOV30-4 <> Will Reyna's favorability be -4.0 or higher on November 30?
! Reyna net favorability on November 30? # -4.0 or above @KXREYNANET-26NOV30-4 <> Will Reyna's net favorability be -4.0 or higher on October 31?
! Reyna net favorability on November 30? # -4.0 or above @KXREYNANET-26NOV30-4 <> Will Reyna's net favorability be -4.0 or lower on November 30?
! Reyna approval rating on November 30? # 45.0% to 45.9% @KXREYNAAPP-26NOV30-45 <> Will Reyna's disapproval rating be between 45.0% and 45.9% on November 30?
= Who will be elected chair of the Green Party? # Sol Maddox <> Will Sol Maddox be elected Green Party chair?
= Who will be the next Chair of the Green National Committee? # Sol Maddox <> Will Sol Maddox be the next chair of the Green National Committee?
= Who will win the Liberal leadership race? # Sol Maddox <> Will Sol Maddox win the Liberal leadership race?
= Will Sol Maddox be elected GNC Chair? <> Will Sol Maddox be the next chair of the Green National Committee?
= Who will be the next leader of the Ontario Liberal Party? # Sol Maddox <> Will Sol Maddox be the next leader of the Ontario Liberal Party?
= Who will be the next Ontario Liberal leader? # Sol Maddox <> Will Sol Maddox become the next leader of the Ontario Liberal Party?
! Who will be elected chair of the Green Party? # Sol Maddox <> Will Sol Maddox be elected Green Party vice chair?
! Who will be the next Chair of the Green National Committee? # Sol Maddox <> Will Sol Maddox be the next chair of the Libertarian National Committee?
! Who will win the Liberal leadership race? # Sol Maddox <> Will Sol Maddox run in the Liberal leadership race?
! Who will be the next leader of the Ontario Liberal Party? # Sol Maddox <> Will Sol Maddox be the next leader of the Quebec Liberal Party?
! Who will be the next leader of the Ontario Liberal Party? # Sol Maddox <> Will Sol Maddox be interim leader of the Ontario Liberal Party?
= What will Governor Reyna say during the debate? # Inflation @KXREYNAMENTION-26NOV28-INFL <> Will Governor Reyna say "Inflation" during the debate on November 28?
= What will Reyna say during her rally in Tulsa? # Border / Wall <> Will Reyna say "Border" or "Wall" during her Tulsa rally?
= What will Reyna say at the climate summit? # Nuclear @KXREYNAMENTION-26NOV28-NUC <> Will Reyna say "Nuclear" at the climate summit?
= What will be said on the next episode of Night Desk? # Tariff <> Will "Tariff" be said on the next episode of Night Desk?
= How many times will Reyna say "freedom" during the debate? # 10+ <> Will Reyna say "freedom" 10 or more times during the debate?
! What will Reyna say during her rally in Tulsa? # Border / Wall <> Will Reyna say "Border" during her Tulsa rally?
! What will Reyna say during her rally in Tulsa? # Wall <> Will Reyna say "Wall" during her Omaha rally?
! How many times will Reyna say "freedom" during the debate? # 10+ <> Will Reyna say "freedom" more than 10 times during the debate?
! What will Reyna say at the climate summit? # Nuclear @KXREYNAMENTION-26NOV28-NUC <> Will Reyna tweet "Nuclear" at the climate summit?
! What will Reyna say at the climate summit? # Nuclear @KXREYNAMENTION-26NOV28-NUC <> Will Holt say "Nuclear" at the climate summit?
= Will the US leave the Basel Accord before 2027? <> US leaves the Basel Accord by December 31, 2026?
= Will the US withdraw from the Basel Accord before 2027? <> US withdraws from Basel Accord in 2026?
= Will Kenya withdraw from the ICC this year? @KXKENICC-26DEC31 <> Kenya withdraws from the ICC by December 31?
= Will the US rejoin the Basel Accord before 2027? <> US rejoins Basel Accord by December 31, 2026?
! Will the US leave the Basel Accord before 2027? <> US rejoins the Basel Accord by December 31, 2026?
! Will the US withdraw from the Basel Accord before 2027? <> US announces withdrawal from Basel Accord in 2026?
! Will the US withdraw from the Basel Accord before 2027? <> Kenya withdraws from Basel Accord in 2026?
= Which party will win the most seats in the Danish election? # Social Democrats <> Will the Social Democrats win the most seats in the Danish election?
= Who will finish second in the Danish parliamentary election? # Venstre <> Will Venstre finish second in the Danish parliamentary election?
! Which party will win the most seats in the Danish election? # Social Democrats <> Will the Social Democrats win a majority of seats in the Danish election?
! Which party will win the most seats in the Danish election? # Social Democrats <> Will the Social Democrats win the most seats in the Swedish election?
! Who will finish second in the Danish parliamentary election? # Venstre <> Will Venstre finish third in the Danish parliamentary election?
! Who will finish second in the Danish parliamentary election? # Venstre <> Will Venstre finish in the top two in the Danish parliamentary election?
! Which party will win the most seats in the Danish election? # Social Democrats <> Will a Social Democrat be Danish Prime Minister after the election?
= Who will win the 2027 Turin mayoral election? # Aldo Ferri <> Will Aldo Ferri be elected mayor of Turin in 2027?
! Will Aldo Ferri be the next Mayor of Turin? <> Will Aldo Ferri finish second in the Turin mayoral election?
! Who will win the 2027 Turin mayoral election? # Aldo Ferri <> Will Aldo Ferri run for mayor of Turin in 2027?
! Will the UK hold an election before 2028? <> UK election called by December 31, 2027?
= Will a ceasefire in Sudan be reached this year? @KXSUDCF-26DEC31 <> Sudan ceasefire by December 31?
= Will Iran and Israel sign a peace deal before Jul 1, 2027? <> Iran and Israel peace deal by June 30, 2027?
! Will a ceasefire in Sudan be reached this year? @KXSUDCF-26DEC31 <> Sudan ceasefire broken by December 31?
! Will Iran and Israel sign a peace deal before Jul 1, 2027? <> Iran and Israel hold peace talks by June 30, 2027?
~ Will Rolf Egger remain Chancellor of Austria through December 31, 2026? <> Rolf Egger out as Chancellor of Austria by December 31, 2026?
`

export const heldOutKinds: readonly HeldOut[] = heldOutOf(table)
