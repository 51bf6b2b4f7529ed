------------------------------- MODULE Heddle -------------------------------
(***************************************************************************)
(* Heddle's protocol: nodes that share a store.                            *)
(*                                                                         *)
(* A store commits atomically, and an answer may be lost. A node dies, or  *)
(* stands still and goes on. Time is not here: that a node stops its       *)
(* attempts before its lease ends is what Lease.tla is about, and here a   *)
(* lease ends only if its node is dead, stands still or has stopped them.  *)
(*                                                                         *)
(* HeddleStore.tla has the transactions, HeddleProperties.tla what must be *)
(* true, MAPPING.md the code behind every action and variable.             *)
(***************************************************************************)
EXTENDS HeddleStore, TLC

CONSTANTS
    Machine,     \* the machine of each node id; one node runs on a machine at a time
    Detaching,   \* jobs whose work goes on in a process of its own if their node ends
    Workers,     \* how many claims a node holds at most
    MaxRetries,  \* how often a job that failed is tried again
    Ends,        \* how a handler that nobody stops may end: done, retry, dead
    Submitted,   \* jobs that are there from the beginning
    Joined,      \* nodes that are there from the beginning
    Eager,       \* whether what a node begins is done before anything else happens, unless it is slow
    MaxDeaths, MaxStill, MaxCloses, MaxLost, MaxSlow, MaxLapses, MaxCancels, MaxVanished  \* how often these happen

VARIABLES
    rows,        \* the store: a row for each job
    leases,      \* the store: none, live or ended, for each node
    node,        \* what each node knows
    acked,       \* jobs whose submission was acknowledged
    work,        \* processes that do the work of attempts: [j, a, up], up until they leave a report
    used,        \* how often bad things happened
    past         \* what really happened, which no node can know; only the properties use it

vars == <<rows, leases, node, acked, work, used, past>>

None == <<>>
Fresh == [life |-> "off", known |-> {}, inbox |-> None, answer |-> None, unknown |-> {}, disowned |-> {},
          lapsed |-> FALSE, duty |-> FALSE, plan |-> None]
Up == [Fresh EXCEPT !.life = "up"]

Init ==
    /\ rows = [j \in Jobs |-> IF j \in Submitted THEN NewRow ELSE NoRow]
    /\ leases = [n \in Nodes |-> IF n \in Joined THEN "live" ELSE "none"]
    /\ node = [n \in Nodes |-> IF n \in Joined THEN Up ELSE Fresh]
    /\ acked = Submitted
    /\ work = {}
    /\ used = [death |-> 0, still |-> 0, close |-> 0, lost |-> 0, slow |-> 0, lapse |-> 0, cancel |-> 0, vanish |-> 0]
    /\ past = [late |-> {}, cut |-> {}, ran |-> [n \in Nodes |-> {}]]

Limit(what) == CASE what = "death" -> MaxDeaths [] what = "still" -> MaxStill [] what = "close" -> MaxCloses
                 [] what = "lost" -> MaxLost [] what = "slow" -> MaxSlow [] what = "lapse" -> MaxLapses [] what = "cancel" -> MaxCancels
                 [] what = "vanish" -> MaxVanished
Use(what) == used[what] < Limit(what) /\ used' = [used EXCEPT ![what] = @ + 1]
\* A call whose answer arrives, or is lost after the commit.
Answered(lost) == IF lost THEN Use("lost") ELSE UNCHANGED used
\* With Eager, what others may do in between is explored only for what is slow, which keeps the number of states small.
Paced(slow) == IF slow THEN Use("slow") ELSE UNCHANGED used

IsUp(n) == node[n].life = "up"
RunsAnything(n) == node[n].life \in {"up", "ghost"}
Fence(r) == [j |-> r.j, a |-> r.a]
Swap(n, r, new) == node' = [node EXCEPT ![n].known = (@ \ {r}) \cup new]

---------------------------------------------------------------------------
(* Submitting and cancelling *)

Submit(j, lost) ==
    /\ j \in Roots \ acked
    /\ \E n \in Nodes : IsUp(n)
    /\ rows' = IF "AckFirst" \in Faults /\ ~lost THEN rows ELSE Insert(rows, j)
    /\ acked' = IF lost THEN acked ELSE acked \cup {j}
    /\ Answered(lost)
    /\ UNCHANGED <<leases, node, work, past>>

CancelJob(j) ==
    /\ rows[j].st # "NONE" /\ ~IsFinal(rows[j])
    /\ Use("cancel")
    /\ rows' = Cancel(rows, j)
    /\ UNCHANGED <<leases, node, acked, work, past>>

---------------------------------------------------------------------------
(* Claiming. One request of a node is under way at a time. *)

\* What a node knows of an attempt: claimed, starting, running, ending, releasing; returning if a renewal told of it and
\* its claim was never answered; detached if its work goes on by itself.
NewRun(c) == [j |-> c.j, a |-> c.a, s |-> "claimed", out |-> "", stop |-> "", written |-> FALSE, guar |-> "NONE",
              susp |-> c.susp, cap |-> c.cap, clr |-> FALSE, ext |-> FALSE, last |-> TRUE, slow |-> FALSE]
AdoptedRun(f) == [NewRun([j |-> f.j, a |-> f.a, susp |-> FALSE, cap |-> Uncapped]) EXCEPT
                  !.clr = TRUE, !.ext = TRUE, !.written = TRUE]

InFlight(known) == {r \in known : r.s \notin {"detached", "returning"}}
Fences(known) == {Fence(r) : r \in InFlight(known)}
Forget(known, j) == {r \in known : ~(r.s = "detached" /\ r.j = j)}

ClaimJob(n, j, slow) ==
    /\ IsUp(n) /\ node[n].inbox = None
    /\ leases[n] # "none" \/ "ClaimDead" \in Faults
    /\ rows[j].st = "QUEUED" \/ ("ClaimHeld" \in Faults /\ rows[j].st = "ASSIGNED")
    /\ Cardinality(InFlight(node[n].known)) < Workers
    /\ rows' = Claim(rows, j, n)
    /\ node' = [node EXCEPT ![n].inbox = <<[j |-> j, a |-> rows'[j].att, susp |-> rows[j].susp, cap |-> rows[j].cap, slow |-> slow]>>]
    /\ Paced(slow)
    /\ UNCHANGED <<leases, acked, work, past>>

ClaimAnswered(n) ==
    /\ RunsAnything(n) /\ node[n].inbox # None
    /\ LET c == node[n].inbox[1]
           accepted == Fence(c) \notin node[n].disowned \/ "LateAnswer" \in Faults
       IN node' = [node EXCEPT ![n].inbox = None, ![n].disowned = {},
                               ![n].known = IF accepted THEN Forget(@, c.j) \cup {NewRun(c)} ELSE @]
    /\ UNCHANGED <<rows, leases, acked, work, used, past>>

ClaimLost(n) ==
    /\ RunsAnything(n) /\ node[n].inbox # None
    /\ Use("lost")
    /\ node' = [node EXCEPT ![n].inbox = None]
    /\ UNCHANGED <<rows, leases, acked, work, past>>

---------------------------------------------------------------------------
(* Starting *)

HoldsSuspect(n) == \E r \in InFlight(node[n].known) : r.susp /\ ~r.clr
Trial(n) == {r \in node[n].known : r.s \in {"starting", "running", "ending"} /\ ~r.clr}
HoldsCapped(n) == \E r \in InFlight(node[n].known) : r.susp /\ ~r.clr /\ r.cap # Uncapped

MayStart(n, r) ==
    \/ r.clr \/ ~HoldsCapped(n) \/ "NoCaps" \in Faults
    \/ \A cap \in {r.cap} \cup {q.cap : q \in Trial(n)} : Cardinality(Trial(n)) < cap

Guarantee(n, r) == IF r.j \in Once /\ "OnceUncommitted" \notin Faults THEN "ONCE"
                   ELSE IF HoldsSuspect(n) /\ (r.susp \/ "SuspectUncommitted" \notin Faults) THEN "FIRST" ELSE "NONE"

\* The handler runs at once, or after its start is committed; an adopted attempt has started already.
StartRun(n, r, slow) ==
    /\ IsUp(n) \/ (node[n].life = "ghost" /\ "GhostStarts" \in Faults)
    /\ r.s = "claimed" /\ ~node[n].lapsed /\ MayStart(n, r)
    /\ LET g == Guarantee(n, r)
       IN Swap(n, r, {[r EXCEPT !.s = IF r.ext \/ g = "NONE" THEN "running" ELSE "starting", !.guar = g, !.slow = slow]})
    /\ Paced(slow)
    /\ UNCHANGED <<rows, leases, acked, work, past>>

StartChange(n, r) == [k |-> "start", j |-> r.j, a |-> r.a, n |-> n, guar |-> r.guar]
Posted(n) == {r \in node[n].known : r.s \in {"running", "ending"} /\ ~r.written}

RECURSIVE ApplyStarts(_, _, _)
ApplyStarts(given, n, starts) ==
    IF starts = {} THEN given
    ELSE LET r == CHOOSE x \in starts : TRUE IN ApplyStarts(Apply(given, StartChange(n, r)).rows, n, starts \ {r})

\* If it was told to stop before it began, the handler is not called.
AfterStart(n, r) ==
    IF r.stop = "cancel" THEN [r EXCEPT !.s = "ending", !.out = "cancel"]
    ELSE IF r.stop # "" \/ node[n].lapsed \/ node[n].life = "ghost" THEN [r EXCEPT !.s = "ending", !.out = "release"]
    ELSE [r EXCEPT !.s = "running"]

\* The ledger writes in order: with this start, all that were posted before it.
CommitStart(n, r, lost) ==
    /\ RunsAnything(n) /\ r.s = "starting"
    /\ LET result == Apply(ApplyStarts(rows, n, Posted(n)), StartChange(n, r))
           others == {IF q \in Posted(n) THEN [q EXCEPT !.written = TRUE] ELSE q : q \in node[n].known \ {r}}
           own == IF lost THEN [r EXCEPT !.slow = TRUE]
                  ELSE IF result.verdict = "APPLIED" THEN AfterStart(n, [r EXCEPT !.written = TRUE])
                  ELSE [r EXCEPT !.s = "releasing"]
       IN /\ rows' = result.rows
          /\ node' = [node EXCEPT ![n].known = others \cup {own}]
    /\ Answered(lost)
    /\ UNCHANGED <<leases, acked, work, past>>

Told(r, cause) == IF r.s \in {"starting", "running"} /\ r.stop = "" THEN [r EXCEPT !.stop = cause] ELSE r

CommitPosted(n, r) ==
    /\ RunsAnything(n) /\ r \in Posted(n)
    /\ LET result == Apply(rows, StartChange(n, r))
           known == [r EXCEPT !.written = TRUE]
       IN /\ rows' = result.rows
          /\ Swap(n, r, {CASE result.verdict = "APPLIED" -> known
                           [] result.verdict = "CANCELLED" -> Told(known, "cancel")
                           [] OTHER -> Told(known, "lost")})
    /\ UNCHANGED <<leases, acked, work, used, past>>

\* A node whose lease has lapsed starts nothing, nor what it claimed before it was declared dead.
Refuse(n, r) ==
    /\ r.s = "claimed" /\ (node[n].life = "ghost" \/ (IsUp(n) /\ node[n].lapsed))
    /\ Swap(n, r, {[r EXCEPT !.s = IF r.ext THEN "detached" ELSE "releasing"]})
    /\ UNCHANGED <<rows, leases, acked, work, used, past>>

\* The attempt outlived its probation.
Clear(n, r) ==
    /\ IsUp(n) /\ r.s = "running" /\ ~r.clr /\ HoldsSuspect(n)
    /\ rows' = Apply(rows, [k |-> "clear", j |-> r.j, a |-> r.a, n |-> n]).rows
    /\ Swap(n, r, {[r EXCEPT !.clr = TRUE]})
    /\ UNCHANGED <<leases, acked, work, used, past>>

---------------------------------------------------------------------------
(* Ending *)

HasWork(r) == \E w \in work : w.j = r.j /\ w.a = r.a
HasReport(r) == \E w \in work : w.j = r.j /\ w.a = r.a /\ ~w.up
CanRetry(j) == rows[j].failures < MaxRetries
Failing(j) == IF CanRetry(j) THEN "retry" ELSE "dead"

Own(r) == IF r.ext THEN (IF HasReport(r) THEN {"done"} ELSE IF HasWork(r) THEN {} ELSE {Failing(r.j)})
          ELSE {IF r.j \in TwoPhase /\ rows[r.j].phase = "INGEST" THEN "ingest" ELSE "done"}
               \cup (Ends \cap ({"dead"} \cup IF CanRetry(r.j) THEN {"retry"} ELSE {}))
\* A handler that was told to stop because of the lease, and finishes all the same, counts; the fence decides.
Outcomes(r) == CASE r.stop = "cancel" -> {"cancel"} [] r.stop = "lost" -> {"release"}
                 [] r.stop = "lapsed" -> {"release"} \cup (Own(r) \cap {"done", "ingest"}) [] OTHER -> Own(r)

SiblingsEnded(j) == \A p \in ParentsOf(j) : \A k \in Kids[p] \ {j} : ~IsLive(rows[k])

Finish(n, r, out, slow) ==
    /\ RunsAnything(n) /\ r.s = "running" /\ out \in Outcomes(r)
    /\ Swap(n, r, {IF r.ext /\ out = "release" THEN [r EXCEPT !.s = "detached"]
                   ELSE [r EXCEPT !.s = "ending", !.out = out, !.slow = slow,
                                       !.last = "LastChild" \notin Faults \/ SiblingsEnded(r.j)]})
    /\ Paced(slow)
    /\ work' = IF out = "cancel" THEN {w \in work : w.j # r.j \/ w.a # r.a} ELSE work
    /\ UNCHANGED <<rows, leases, acked, past>>

EndChange(n, r) == [k |-> "end", j |-> r.j, a |-> r.a, n |-> n, out |-> r.out, last |-> r.last]

CommitEnd(n, r, lost) ==
    /\ RunsAnything(n) /\ r.s = "ending"
    /\ rows' = Apply(rows, EndChange(n, r)).rows
    /\ Swap(n, r, IF lost THEN {[r EXCEPT !.slow = TRUE]} ELSE {})
    /\ work' = IF lost THEN work ELSE {w \in work : w.up \/ w.j # r.j \/ w.a # r.a}
    /\ Answered(lost)
    /\ UNCHANGED <<leases, acked, past>>

CommitRelease(n, r, lost) ==
    /\ RunsAnything(n) /\ r.s \in {"releasing", "returning"}
    /\ rows' = Apply(rows, [k |-> "release", j |-> r.j, a |-> r.a, n |-> n]).rows
    /\ Swap(n, r, IF lost THEN {[r EXCEPT !.slow = TRUE]} ELSE {})
    /\ Answered(lost)
    /\ UNCHANGED <<leases, acked, work, past>>

---------------------------------------------------------------------------
(* Work that outlives its node *)

\* The handler reserves its attempt for this machine, then starts a process.
Detach(n, r, lost) ==
    /\ IsUp(n) /\ r.s = "running" /\ ~r.ext /\ r.j \in Detaching /\ r.stop = ""
    /\ LET held == IsHeld(rows[r.j]) /\ HeldUnder(rows[r.j], r.a, n)
       IN /\ rows' = IF held /\ "NoReservation" \notin Faults THEN Reserve(rows, r.j) ELSE rows
          /\ Swap(n, r, {IF lost THEN [r EXCEPT !.s = "ending", !.out = Failing(r.j)]
                         ELSE IF held THEN [r EXCEPT !.ext = TRUE] ELSE Told(r, "lost")})
          /\ work' = IF held /\ ~lost THEN work \cup {[j |-> r.j, a |-> r.a, up |-> TRUE]} ELSE work
    /\ Answered(lost)
    /\ UNCHANGED <<leases, acked, past>>

WorkEnds(w) ==
    /\ w.up
    /\ work' = (work \ {w}) \cup {[w EXCEPT !.up = FALSE]}
    /\ UNCHANGED <<rows, leases, node, acked, used, past>>

\* The process dies and leaves no report.
WorkVanishes(w) ==
    /\ w.up /\ Use("vanish")
    /\ work' = work \ {w}
    /\ UNCHANGED <<rows, leases, node, acked, past>>

\* A minute after the deadline, which the process keeps even without a node.
ReservationEnds(j) ==
    /\ rows[j].resv = "YES"
    /\ ~ \E w \in work : w.j = j /\ w.a = rows[j].att /\ w.up
    /\ \A n \in Nodes : ~(\E r \in node[n].known : r.j = j /\ r.s = "running" /\ IsUp(n))
    /\ rows' = [rows EXCEPT ![j].resv = "OVER"]
    /\ UNCHANGED <<leases, node, acked, work, used, past>>

\* Attempts that are reserved for a machine and that no node there looks after.
IsWatched(m, j) == \E n \in Nodes : Machine[n] = m /\ RunsAnything(n) /\ \E r \in InFlight(node[n].known) : r.j = j
Found(m) == {[j |-> j, a |-> rows[j].att, n |-> rows[j].node] : j \in
                {x \in Jobs : IsHeld(rows[x]) /\ rows[x].resv # "NO" /\ rows[x].resv # "FREED" /\ Machine[rows[x].node] = m
                              /\ ~IsWatched(m, x)}}
Adoptable(found) == {f \in found : HasWork(f)}
Gone(found) == {f \in found : ~HasWork(f)}
\* A node fails what it had detached itself and whose work is gone; all other nodes recover what is no longer reserved.
Detached(n, f) == f.n = n /\ \E r \in node[n].known : r.s = "detached" /\ Fence(r) = Fence(f)

RECURSIVE AdoptRows(_, _, _)
AdoptRows(given, fences, n) ==
    IF fences = {} THEN given
    ELSE LET f == CHOOSE x \in fences : TRUE
         IN AdoptRows(IF MayAdopt(given, f.j, f.a, f.n) \/ ("AdoptUnfenced" \in Faults /\ ~given[f.j].ended)
                      THEN Adopt(given, f.j, n) ELSE given, fences \ {f}, n)
UnreserveRows(given, fences) ==
    [j \in Jobs |-> IF \E f \in fences : f.j = j /\ HeldUnder(given[j], f.a, f.n) THEN Unreserve(given, j)[j] ELSE given[j]]

Took(given, fences, n) ==
    {f \in fences : MayAdopt(given, f.j, f.a, f.n) \/ ("AdoptUnfenced" \in Faults /\ ~given[f.j].ended)}

---------------------------------------------------------------------------
(* Joining, renewing, and what a node does with the answer *)

MachineIsFree(n) == \A m \in Nodes : Machine[m] = Machine[n] => node[m].life \in {"off", "dead", "ghost"}

\* A node that opens adopts first, then recovers.
Join(n) ==
    /\ node[n].life = "off" /\ MachineIsFree(n)
    /\ LET found == Found(Machine[n])
           taken == Adoptable(found)
       IN /\ rows' = AdoptRows(UnreserveRows(rows, Gone(found)), taken, n)
          /\ node' = [node EXCEPT ![n] = [Fresh EXCEPT !.life = "up", !.duty = TRUE, !.known = {AdoptedRun(f) : f \in taken}]]
    /\ leases' = [leases EXCEPT ![n] = "live"]
    /\ UNCHANGED <<acked, work, used, past>>

\* The answer is lost: the next try has another id.
JoinLost(n) ==
    /\ node[n].life = "off" /\ MachineIsFree(n) /\ Use("lost")
    /\ leases' = [leases EXCEPT ![n] = "live"]
    /\ node' = [node EXCEPT ![n].life = "dead"]
    /\ UNCHANGED <<rows, acked, work, past>>

\* Nodes that this one should recover: their lease has ended, or they are gone and a reservation of theirs has ended.
Expired(n) ==
    {d \in Nodes \ {n} : leases[d] = "expired"}
    \cup {rows[j].node : j \in {x \in Jobs : /\ rows[x].node # NoNode /\ leases[rows[x].node] = "none"
                                             /\ rows[x].resv # "NO" /\ ~IsReserved(rows[x])}}

Renew(n, slow) ==
    /\ IsUp(n) /\ node[n].answer = None /\ node[n].plan = None
    /\ rows' = IF "LastChild" \in Faults THEN rows ELSE Sweep(rows)
    /\ leases' = IF leases[n] = "none" THEN leases ELSE [leases EXCEPT ![n] = "live"]
    /\ node' = [node EXCEPT ![n].answer =
            <<[dead |-> leases[n] = "none", before |-> Fences(node[n].known), expired |-> Expired(n) # {},
               held |-> {[j |-> j, a |-> rows[j].att] : j \in {x \in Jobs : rows[x].node = n}},
               cancelled |-> {[j |-> j, a |-> rows[j].att] : j \in {x \in Jobs : rows[x].node = n /\ rows[x].st = "CANCELLED"}},
               looked |-> Detaching = {}, found |-> {}, slow |-> slow]>>]
    /\ Paced(slow)
    /\ UNCHANGED <<acked, work, past>>

RenewLost(n) ==
    /\ IsUp(n) /\ node[n].answer # None /\ (Detaching = {} \/ ~node[n].answer[1].looked)
    /\ Use("lost")
    /\ node' = [node EXCEPT ![n].answer = None]
    /\ UNCHANGED <<rows, leases, acked, work, past>>

\* Looks for work to adopt before it compares the answer with what it knows.
Look(n) ==
    /\ IsUp(n) /\ node[n].answer # None /\ ~node[n].answer[1].looked /\ ~node[n].answer[1].dead
    /\ node' = [node EXCEPT ![n].answer = <<[@[1] EXCEPT !.looked = TRUE, !.found = Found(Machine[n])]>>]
    /\ UNCHANGED <<rows, leases, acked, work, used, past>>

\* Stops an attempt: a claim that waits goes back, a handler that runs is told.
Stopped(r, cause) ==
    CASE r.s = "claimed" /\ r.ext /\ cause # "cancel" -> [r EXCEPT !.s = "detached"]
      [] r.s = "claimed" -> [r EXCEPT !.s = "releasing"]
      [] OTHER -> Told(r, cause)
StoppedAll(known, cause) == {Stopped(r, cause) : r \in known}

Reconciled(known, answer, overdue) ==
    LET lost == (answer.before \cap Fences(known)) \ answer.held
    IN {CASE r.s = "detached" /\ Fence(r) \in answer.cancelled -> [r EXCEPT !.s = "returning"]
          [] r.s \notin {"detached", "returning"} /\ Fence(r) \in answer.cancelled -> Stopped(r, "cancel")
          [] r.s \notin {"detached", "returning"} /\ Fence(r) \in lost -> Stopped(r, "lost")
          [] OTHER -> r : r \in known}
       \cup {[NewRun([j |-> f.j, a |-> f.a, susp |-> FALSE, cap |-> Uncapped]) EXCEPT !.s = "returning"] : f \in overdue}

\* An answer that is on its way comes before the patience is over, unless it is slow.
Coming(n) == IF node[n].inbox # None /\ ~node[n].inbox[1].slow THEN {Fence(node[n].inbox[1])} ELSE {}

\* How the adoption within a renewal went: all of it, an error before anything was done, or an answer that was lost.
RenewAnswered(n, adoption) ==
    /\ IsUp(n) /\ node[n].answer # None /\ node[n].answer[1].looked /\ ~node[n].answer[1].dead
    /\ adoption # "done" => node[n].answer[1].found # {} /\ Use("lost")
    /\ adoption = "done" => UNCHANGED used
    /\ LET answer == node[n].answer[1]
           tried == IF adoption = "failed" THEN {} ELSE Adoptable(answer.found)
           own == {f \in Gone(answer.found) : Detached(n, f) /\ "GoneForgotten" \notin Faults}
           base == IF adoption = "failed" THEN rows ELSE UnreserveRows(rows, Gone(answer.found) \ own)
           taken == Took(base, tried, n)
           failed == {f \in own : MayAdopt(base, f.j, f.a, f.n)}
           known == IF adoption # "done" THEN node[n].known
                    ELSE {r \in node[n].known : ~(r.s = "detached" /\ \E f \in taken \cup failed : f.j = r.j)}
                         \cup {AdoptedRun(f) : f \in taken}
                         \cup {[AdoptedRun(f) EXCEPT !.s = "ending", !.out = Failing(f.j)] : f \in failed}
           unknown == answer.held \ Fences(known)
           here == {Fence(r) : r \in {x \in known : x.s \in {"detached", "returning"}}}
           overdue == IF "NoReconciliation" \in Faults \/ adoption # "done" THEN {} 
                      ELSE (unknown \cap node[n].unknown) \ (here \cup node[n].disowned \cup Coming(n))
       IN /\ rows' = AdoptRows(base, tried, n)
          /\ node' = [node EXCEPT ![n] = [@ EXCEPT
                !.answer = None, !.known = Reconciled(known, answer, overdue), !.unknown = unknown,
                !.disowned = @ \cup overdue, !.duty = @ \/ answer.expired, !.lapsed = @ /\ leases[n] # "live"]]
    /\ UNCHANGED <<leases, acked, work, past>>

\* It was declared dead: it stops its attempts and joins again under another id.
Rejoin(n, m, lost) ==
    /\ IsUp(n) /\ node[n].answer # None /\ node[n].answer[1].dead
    /\ node[m].life = "off" /\ Machine[m] = Machine[n]
    /\ leases' = [leases EXCEPT ![m] = "live"]
    /\ LET stopped == StoppedAll(node[n].known, "lost")
       IN node' = IF lost THEN [node EXCEPT ![n].known = stopped, ![n].answer = None, ![m].life = "dead"]
                          ELSE [node EXCEPT ![n] = [Fresh EXCEPT !.life = "ghost", !.known = stopped, !.inbox = node[n].inbox],
                                            ![m] = [Fresh EXCEPT !.life = "up"]]
    /\ Answered(lost)
    /\ UNCHANGED <<rows, acked, work, past>>

---------------------------------------------------------------------------
(* Leases that end, nodes that die, and those that take over *)

\* The watchdog stops everything before the lease can end.
Lapsed(n) == [node[n] EXCEPT !.lapsed = TRUE, !.known = StoppedAll(@, "lapsed")]

Lapse(n) ==
    /\ IsUp(n) /\ ~node[n].lapsed /\ leases[n] = "live" /\ Use("lapse")
    /\ node' = [node EXCEPT ![n] = Lapsed(n)]
    /\ UNCHANGED <<rows, leases, acked, work, past>>

RunsHere(r) == r.s = "running" /\ ~r.ext
Execution(n, r) == [n |-> n, j |-> r.j, a |-> r.a]
HasStopped(n) == node[n].lapsed /\ ~ \E r \in node[n].known : RunsHere(r)

LeaseEnds(n) ==
    /\ leases[n] = "live"
    /\ \/ node[n].life \in {"dead", "still"}
       \/ IsUp(n) /\ (HasStopped(n) \/ "StopsLate" \in Faults)
    /\ leases' = [leases EXCEPT ![n] = "expired"]
    /\ past' = IF node[n].life = "still" THEN [past EXCEPT !.late = @ \cup {Execution(n, r) : r \in {x \in node[n].known : RunsHere(x)}}] ELSE past
    /\ UNCHANGED <<rows, node, acked, work, used>>

StandStill(n) ==
    /\ IsUp(n) /\ leases[n] # "none" /\ Use("still")
    /\ node' = [node EXCEPT ![n].life = "still"]
    /\ UNCHANGED <<rows, leases, acked, work, past>>

\* It notices at once that its lease has lapsed, if it has.
GoOn(n) ==
    /\ node[n].life = "still"
    /\ node' = [node EXCEPT ![n] = [(IF leases[n] = "live" THEN node[n] ELSE Lapsed(n)) EXCEPT !.life = "up"]]
    /\ UNCHANGED <<rows, leases, acked, work, used, past>>

Die(n) ==
    /\ node[n].life \in {"up", "still", "ghost"} /\ Use("death")
    /\ LET ran == {r \in node[n].known : RunsHere(r)}
       IN past' = [past EXCEPT !.cut = @ \cup ({r.j : r \in ran} \cap Once),
                               !.ran[n] = {Fence(r) : r \in {x \in ran : ~x.clr}}]
    /\ node' = [node EXCEPT ![n] = [Fresh EXCEPT !.life = "dead"]]
    /\ UNCHANGED <<rows, leases, acked, work>>

\* An orderly end leaves only work that outlives the node.
Close(n) ==
    /\ IsUp(n) /\ Use("close")
    /\ \A r \in node[n].known : r.s = "detached"
    /\ node[n].inbox = None /\ node[n].answer = None /\ node[n].plan = None
    /\ node' = [node EXCEPT ![n] = [Fresh EXCEPT !.life = "dead"]]
    /\ leases' = [leases EXCEPT ![n] = IF @ = "none" THEN @ ELSE IF \E j \in Jobs : rows[j].node = n THEN "expired" ELSE "none"]
    /\ UNCHANGED <<rows, acked, work, past>>

DeadFor(n) ==
    {d \in Nodes \ {n} : leases[d] = "expired"}
    \cup {rows[j].node : j \in {x \in Jobs : rows[x].node # NoNode /\ leases[rows[x].node] = "none" /\ ~IsReserved(rows[x])}}

\* One transaction: the nodes are removed and their jobs moved.
RecoverAll(n) ==
    /\ IsUp(n) /\ node[n].duty /\ "ReleaseApart" \notin Faults
    /\ LET D == IF leases[n] = "none" THEN {} ELSE DeadFor(n)
       IN /\ rows' = Recover(rows, D)
          /\ leases' = [m \in Nodes |-> IF m \in D THEN "none" ELSE IF m = n /\ leases[n] # "none" THEN "live" ELSE leases[m]]
          /\ past' = [past EXCEPT !.ran = [m \in Nodes |-> IF m \in D THEN {} ELSE @[m]]]
    /\ node' = [node EXCEPT ![n].duty = FALSE]
    /\ UNCHANGED <<acked, work, used>>

\* Two transactions, as a fault: the first declares nodes dead and decides, the second moves their jobs.
DeclareDead(n) ==
    /\ "ReleaseApart" \in Faults /\ IsUp(n) /\ node[n].duty /\ leases[n] # "none"
    /\ leases' = [m \in Nodes |-> IF m \in DeadFor(n) THEN "none" ELSE leases[m]]
    /\ node' = [node EXCEPT ![n].duty = FALSE, ![n].plan = <<rows, Left(rows, DeadFor(n))>>]
    /\ UNCHANGED <<rows, acked, work, used, past>>
MoveJobs(n) ==
    /\ IsUp(n) /\ node[n].plan # None
    /\ rows' = RecoverRows(rows, node[n].plan[1], node[n].plan[2])
    /\ node' = [node EXCEPT ![n].plan = None]
    /\ UNCHANGED <<leases, acked, work, used, past>>

---------------------------------------------------------------------------

\* Steps that follow at once from the one before, unless they are slow.
IsUrgent(r) == r.s \in {"starting", "ending", "releasing", "returning"} /\ ~r.slow
Urgent(n) ==
    /\ Eager /\ RunsAnything(n)
    /\ \/ node[n].inbox # None /\ ~node[n].inbox[1].slow
       \/ node[n].answer # None /\ ~node[n].answer[1].slow
       \/ node[n].duty
       \/ \E r \in node[n].known : IsUrgent(r) \/ (r.s = "claimed" /\ (node[n].lapsed \/ (node[n].life = "ghost" /\ "GhostStarts" \notin Faults)))

RunFollows(n, r) ==
    \/ Refuse(n, r)
    \/ \E lost \in BOOLEAN : CommitStart(n, r, lost) \/ CommitEnd(n, r, lost) \/ CommitRelease(n, r, lost)
NodeFollows(n) ==
    \/ ClaimAnswered(n) \/ ClaimLost(n) \/ RenewLost(n) \/ Look(n) \/ RecoverAll(n) \/ DeclareDead(n)
    \/ \E adoption \in {"done", "failed", "lost"} : RenewAnswered(n, adoption)
    \/ \E m \in Nodes, lost \in BOOLEAN : Rejoin(n, m, lost)
    \/ \E r \in node[n].known : RunFollows(n, r)

RunStep(n, r) ==
    \/ CommitPosted(n, r) \/ Clear(n, r)
    \/ \E slow \in BOOLEAN : StartRun(n, r, slow) \/ \E out \in Outcomes(r) : Finish(n, r, out, slow)
    \/ \E lost \in BOOLEAN : Detach(n, r, lost)
NodeStep(n) ==
    \/ Join(n) \/ JoinLost(n) \/ MoveJobs(n) \/ Lapse(n) \/ LeaseEnds(n) \/ StandStill(n) \/ GoOn(n) \/ Die(n) \/ Close(n)
    \/ \E slow \in BOOLEAN : Renew(n, slow) \/ \E j \in Jobs : ClaimJob(n, j, slow)
    \/ \E r \in node[n].known : RunStep(n, r)
OtherStep ==
    \/ \E j \in Jobs : CancelJob(j) \/ ReservationEnds(j) \/ \E lost \in BOOLEAN : Submit(j, lost)
    \/ \E w \in work : WorkEnds(w) \/ WorkVanishes(w)

Next ==
    IF \E n \in Nodes : Urgent(n) THEN \E n \in Nodes : Urgent(n) /\ NodeFollows(n)
    ELSE OtherStep \/ \E n \in Nodes : NodeStep(n) \/ NodeFollows(n)

Spec == Init /\ [][Next]_vars

=============================================================================
