---------------------------- MODULE HeddleStore ----------------------------
(***************************************************************************)
(* What a store does in one transaction, as functions of its rows.         *)
(*                                                                         *)
(* There are no variables here: Heddle.tla says when these transactions    *)
(* happen, and HeddleTrace.tla compares them with what a store really did. *)
(* MAPPING.md names the code behind every operator.                        *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS
    Jobs,        \* the jobs
    Nodes,       \* the ids of nodes; a node that joins again takes another one
    NoNode,      \* what a row has instead of a node
    Once,        \* jobs whose type is not idempotent
    Kids,        \* for each job the children that its first phase spawns; empty for an ordinary job
    TwoPhase,    \* jobs in two phases
    MaxCrashes,  \* the crash at which a job is a dead letter
    Faults       \* what the model does wrong on purpose, see must-fail; empty for Heddle as it is

Uncapped == 1000
Families == TwoPhase
ParentsOf(j) == {p \in Families : j \in Kids[p]}
Roots == {j \in Jobs : ParentsOf(j) = {}}

NoRow == [st |-> "NONE", ended |-> FALSE, att |-> 0, node |-> NoNode, started |-> FALSE, guar |-> "NONE",
          susp |-> FALSE, cap |-> Uncapped, clr |-> 0, crashes |-> 0, failures |-> 0, phase |-> "INGEST",
          resv |-> "NO", ends |-> <<>>]

NewRow == [NoRow EXCEPT !.st = "QUEUED"]

IsHeld(r) == r.st \in {"ASSIGNED", "RUNNING"}
IsFinal(r) == r.st \in {"COMPLETED", "FAILED", "CANCELLED"}
\* Recovery skips the attempt, because its work goes on.
IsReserved(r) == IsHeld(r) /\ r.resv = "YES" /\ "RecoverReserved" \notin Faults

HeldUnder(r, a, n) ==
    IF "NoFence" \in Faults THEN ~r.ended /\ r.node # NoNode
                            ELSE ~r.ended /\ r.att = a /\ r.node = n

Released(r, state) ==
    [r EXCEPT !.st = state, !.node = NoNode, !.started = FALSE, !.guar = "NONE", !.resv = "NO"]
Ended(r, state) == [Released(r, state) EXCEPT !.ended = TRUE]
Recorded(r, a, n, e) == [r EXCEPT !.ends = Append(@, [a |-> a, n |-> n, e |-> e])]

---------------------------------------------------------------------------
(* Families *)

\* A job that is cancelled while it runs ends with its attempt, not before.
IsLive(r) == r.st # "NONE" /\ IF "WakeOnCancel" \in Faults THEN ~IsFinal(r) ELSE ~r.ended

Wake(rows, p) ==
    IF rows[p].st = "WAITING" /\ \A k \in Kids[p] : ~IsLive(rows[k])
    THEN [rows EXCEPT ![p] = Released(@, "QUEUED")]
    ELSE rows

ChildEnded(rows, j) ==
    IF ParentsOf(j) = {} THEN rows ELSE Wake(rows, CHOOSE p \in ParentsOf(j) : TRUE)

Cancelled(r) == IF IsHeld(r) THEN [r EXCEPT !.st = "CANCELLED"] ELSE Ended(r, "CANCELLED")

CancelKids(rows, p) ==
    [j \in Jobs |-> IF j \in Kids[p] /\ rows[j].st # "NONE" /\ ~IsFinal(rows[j]) THEN Cancelled(rows[j]) ELSE rows[j]]

FamilyEnded(rows, j) == ChildEnded(CancelKids(rows, j), j)

\* At every renewal: repairs nothing in this store, and what two transactions missed in others.
Sweep(rows) ==
    [j \in Jobs |-> IF j \in Families /\ rows[j].st = "WAITING" THEN Wake(rows, j)[j] ELSE rows[j]]

---------------------------------------------------------------------------
(* Submitting, claiming, cancelling *)

Insert(rows, j) == IF rows[j].st = "NONE" THEN [rows EXCEPT ![j] = NewRow] ELSE rows

Claim(rows, j, n) ==
    [rows EXCEPT ![j] = [Released(@, "ASSIGNED") EXCEPT
        !.node = n, !.att = IF "AttemptReused" \in Faults /\ rows[j].att > 0 THEN @ ELSE @ + 1]]

Cancel(rows, j) ==
    IF rows[j].st = "NONE" \/ IsFinal(rows[j]) THEN rows
    ELSE ChildEnded(CancelKids([rows EXCEPT ![j] = Cancelled(@)], j), j)

---------------------------------------------------------------------------
(* What attempts write. A change is a record: its kind k, its fence (j, a, n), and for a start its guarantee, for an *)
(* end its outcome.                                                                                                  *)

EndKind(out) == CASE out = "done" -> "COMPLETED"
                  [] out = "ingest" -> "INGESTED"
                  [] out \in {"retry", "dead"} -> "FAILED"
                  [] out = "cancel" -> "CANCELLED"
                  [] out = "release" -> "RELEASED"

\* A fence that does not hold: a repetition, if the attempt was recorded with the same end.
Stale(r, c) ==
    IF c.k # "end" THEN "LOST"
    ELSE LET same == {i \in 1..Len(r.ends) : r.ends[i].a = c.a /\ r.ends[i].n = c.n}
         IN IF same = {} THEN "LOST"
            ELSE LET e == r.ends[CHOOSE i \in same : TRUE].e
                 IN IF e = EndKind(c.out) THEN "REPEATED" ELSE IF e = "CANCELLED" THEN "CANCELLED" ELSE "LOST"

AfterOutcome(r, out) ==
    CASE out = "done" -> Ended(r, "COMPLETED")
      [] out = "ingest" -> [Released(r, "WAITING") EXCEPT !.phase = "AGGREGATE"]
      [] out = "retry" -> [Released(r, "QUEUED") EXCEPT !.failures = @ + 1, !.susp = FALSE, !.cap = Uncapped]
      [] out = "dead" -> [Ended(r, "FAILED") EXCEPT !.failures = @ + 1]
      [] out = "cancel" -> Ended(r, "CANCELLED")
      [] out = "release" -> Released(r, "QUEUED")

WriteEnd(rows, c) ==
    LET own == [rows EXCEPT ![c.j] = AfterOutcome(Recorded(@, c.a, c.n, EndKind(c.out)), c.out)]
        family == IF own[c.j].ended THEN FamilyEnded(own, c.j) ELSE own
    IN IF c.out = "ingest"
       THEN Wake([j \in Jobs |-> IF j \in Kids[c.j] /\ own[j].st = "NONE" THEN NewRow ELSE own[j]], c.j)
       ELSE IF "LastChild" \in Faults /\ ~c.last THEN CancelKids(own, c.j) ELSE family

Write(rows, c) ==
    CASE c.k = "start" -> [rows EXCEPT ![c.j] = [@ EXCEPT !.st = "RUNNING", !.started = TRUE, !.guar = c.guar]]
      [] c.k = "clear" -> [rows EXCEPT ![c.j] = [@ EXCEPT !.susp = FALSE, !.cap = Uncapped, !.clr = c.a]]
      [] c.k = "release" -> [rows EXCEPT ![c.j] = Released(@, "QUEUED")]
      [] c.k = "end" -> WriteEnd(rows, c)

\* The job was cancelled during the attempt: the attempt is recorded, its result is ignored.
WriteCancelled(rows, c) ==
    CASE c.k \in {"start", "clear"} -> rows
      [] c.k = "release" -> ChildEnded([rows EXCEPT ![c.j] = Ended(@, "CANCELLED")], c.j)
      [] c.k = "end" ->
            ChildEnded([rows EXCEPT ![c.j] = Ended(Recorded(@, c.a, c.n, "CANCELLED"), "CANCELLED")], c.j)

Apply(rows, c) ==
    LET r == rows[c.j]
    IN IF ~HeldUnder(r, c.a, c.n) THEN [verdict |-> Stale(r, c), rows |-> rows]
       ELSE IF r.st = "CANCELLED" THEN [verdict |-> "CANCELLED", rows |-> WriteCancelled(rows, c)]
       ELSE [verdict |-> "APPLIED", rows |-> Write(rows, c)]

---------------------------------------------------------------------------
(* The death of nodes *)

\* What recovery takes from the nodes D: everything that is not reserved for its machine.
Left(rows, D) == {j \in Jobs : rows[j].node \in D /\ ~IsReserved(rows[j])}
Orphans(rows, d) == {j \in Left(rows, {d}) : IsHeld(rows[j])}

OnProbation(r) == r.st = "RUNNING" /\ ~(~r.susp /\ r.clr = r.att)
Causes(rows, d) == {j \in Orphans(rows, d) : OnProbation(rows[j])}
\* A suspect ran, so every start on that node was committed first: the causes are all that can be.
IsComplete(rows, d) == \E j \in Causes(rows, d) : rows[j].susp /\ rows[j].guar # "NONE"

Suspect(r, cap) == [r EXCEPT !.susp = TRUE, !.cap = cap]

IsCrash(rows, j, d) ==
    /\ IsComplete(rows, d)
    /\ j \in Causes(rows, d)
    /\ Cardinality(Causes(rows, d)) = 1 \/ "BlameAll" \in Faults

Blamed(rows, j, d) ==
    LET r == rows[j]
        count == Cardinality(Causes(rows, d))
    IN IF ~IsComplete(rows, d) THEN Suspect(r, r.cap)
       ELSE IF OnProbation(r) THEN Suspect(r, (count + 1) \div 2)
       ELSE IF r.st = "RUNNING" THEN Suspect(r, Uncapped)
       ELSE r

DeathRecorded(r, e) == IF r.started THEN Recorded(r, r.att, r.node, e) ELSE r

Recovered(rows, j) ==
    LET d == rows[j].node
        crash == IsCrash(rows, j, d)
        r == [DeathRecorded(Blamed(rows, j, d), IF crash THEN "CRASHED" ELSE "NODE_DIED") EXCEPT
                !.crashes = IF crash THEN @ + 1 ELSE @]
    IN IF crash /\ r.crashes >= MaxCrashes THEN Ended(r, "FAILED")
       ELSE IF rows[j].guar = "ONCE" THEN Ended(r, "FAILED")
       ELSE Released(r, "QUEUED")

RECURSIVE FamiliesEnded(_, _)
FamiliesEnded(rows, ended) ==
    IF ended = {} THEN rows
    ELSE LET j == CHOOSE x \in ended : TRUE IN FamiliesEnded(FamilyEnded(rows, j), ended \ {j})

\* Moves the jobs in `which`, which nodes in D left, as the rules decide from the rows in `seen`.
RecoverRows(rows, seen, which) ==
    LET moved == [j \in Jobs |-> IF j \notin which THEN rows[j]
                                 ELSE IF seen[j].st = "CANCELLED"
                                      THEN Ended(DeathRecorded(seen[j], "NODE_DIED"), "CANCELLED")
                                      ELSE Recovered(seen, j)]
    IN FamiliesEnded(moved, {j \in which : moved[j].ended})

Recover(rows, D) == RecoverRows(rows, rows, Left(rows, D))

---------------------------------------------------------------------------
(* Adoption *)

Reserve(rows, j) == [rows EXCEPT ![j].resv = "YES"]
\* It stays known that there was one, so that renewals list its node until the attempt is recovered.
Unreserve(rows, j) == [rows EXCEPT ![j].resv = IF "FreedForgotten" \in Faults THEN "NO" ELSE "FREED"]

MayAdopt(rows, j, a, n) == IsHeld(rows[j]) /\ HeldUnder(rows[j], a, n)
\* Without a fence it would also take a job that was recovered meanwhile, perhaps claimed by another node.
Adopt(rows, j, n) == [rows EXCEPT ![j] = [@ EXCEPT !.node = n, !.st = "RUNNING", !.started = TRUE]]

=============================================================================
