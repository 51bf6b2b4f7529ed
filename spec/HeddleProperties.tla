-------------------------- MODULE HeddleProperties --------------------------
(***************************************************************************)
(* What must be true of Heddle.tla, whatever happens.                      *)
(***************************************************************************)
EXTENDS Heddle

TypeOK ==
    /\ \A j \in Jobs : /\ rows[j].st \in {"NONE", "QUEUED", "ASSIGNED", "RUNNING", "WAITING", "COMPLETED", "FAILED", "CANCELLED"}
                       /\ rows[j].node \in Nodes \cup {NoNode}
                       /\ rows[j].cap \in 1..Uncapped
                       /\ rows[j].susp \/ rows[j].cap = Uncapped
    /\ \A n \in Nodes : /\ leases[n] \in {"none", "live", "expired"}
                        /\ node[n].life \in {"off", "up", "still", "dead", "ghost"}
                        /\ \A r \in node[n].known : r.s \in {"claimed", "starting", "running", "ending", "releasing",
                                                             "returning", "detached"}

---------------------------------------------------------------------------
(* Safety *)

\* What was acknowledged is in the store.
NothingLost == \A j \in acked : rows[j].st # "NONE"

\* A job that has ended stays as it is.
EndIsFinal == [][\A j \in Jobs : rows[j].ended => rows'[j] = rows[j]]_vars

\* No attempt has two results, and nothing is recorded of a job after its end.
OneResult == \A j \in Jobs : \A i, k \in 1..Len(rows[j].ends) : rows[j].ends[i].a = rows[j].ends[k].a => i = k

\* The number of the attempt never goes back, and every claim has a number of its own.
AttemptsGrow ==
    [][\A j \in Jobs : /\ rows'[j].att >= rows[j].att
                       /\ rows[j].st = "QUEUED" /\ rows'[j].st = "ASSIGNED" => rows'[j].att > rows[j].att]_vars

\* A job that a node holds is not given to another one, except if its attempt is adopted.
OneHolder ==
    /\ \A j \in Jobs : (rows[j].node # NoNode) <=> (IsHeld(rows[j]) \/ (rows[j].st = "CANCELLED" /\ ~rows[j].ended))
    /\ \A j \in Jobs : rows[j].ended <=> rows[j].ended /\ IsFinal(rows[j])
HolderStays ==
    [][\A j \in Jobs : rows[j].node # NoNode /\ rows'[j].node \notin {NoNode, rows[j].node}
            => rows'[j].att = rows[j].att /\ rows[j].resv # "NO"]_vars

\* A parent does not go on before its children have ended.
ParentAfterChildren ==
    \A p \in Families : rows[p].phase = "AGGREGATE" /\ (rows[p].st = "QUEUED" \/ IsHeld(rows[p]))
        => \A k \in Kids[p] : rows[k].ended

\* A parent does not wait if all its children have ended.
NoParentForgotten == \A p \in Families : rows[p].st = "WAITING" => \E k \in Kids[p] : IsLive(rows[k])

\* What a node holds that is gone is reserved, or somebody is about to recover it.
NoHolderForgotten ==
    \A j \in Jobs : rows[j].node # NoNode =>
        \/ leases[rows[j].node] # "none" \/ rows[j].resv # "NO"
        \/ \E n \in Nodes : (IsUp(n) /\ (node[n].duty \/ node[n].plan # None)) \/ (~IsUp(n) /\ leases[n] # "none")

\* What a node has detached itself is reserved, or else nobody would look after it.
NoDetachedForgotten ==
    \A n \in Nodes : IsUp(n) => \A r \in node[n].known :
        r.s = "detached" /\ rows[r.j].node = n /\ rows[r.j].att = r.a /\ IsHeld(rows[r.j]) => rows[r.j].resv \in {"YES", "OVER"}

\* A crash is counted only if no other handler can have caused the death.
CrashAlone ==
    [][\A j \in Jobs : rows'[j].crashes > rows[j].crashes
            => \A f \in past.ran[rows[j].node] : f.j = j]_vars

\* A job that is not idempotent is not repeated after its node died while it ran.
RunsOnce == \A n \in Nodes : RunsAnything(n) => \A r \in node[n].known : ~(RunsHere(r) /\ r.j \in past.cut)

\* An attempt is recovered or adopted, never both.
AdoptedOrRecovered ==
    [][\A j \in Jobs : rows'[j].node # rows[j].node /\ rows'[j].node # NoNode /\ rows'[j].att = rows[j].att
            => /\ rows[j].node # NoNode
               /\ \A i \in 1..Len(rows[j].ends) : rows[j].ends[i].a # rows[j].att]_vars

\* A job runs at most once at a time. A node that stood still for longer than its lease may go on with what it ran.
Executing(j) ==
    {r.a : r \in UNION {{x \in node[n].known : /\ x.j = j /\ RunsHere(x) /\ RunsAnything(n)
                                               /\ Execution(n, x) \notin past.late} : n \in Nodes}}
    \cup {w.a : w \in {x \in work : x.j = j /\ x.up /\ ~rows[j].ended}}
NotTwiceAtOnce == \A j \in Jobs : Cardinality(Executing(j)) <= 1

\* Beside a suspect with a cap, no more attempts are on probation than the cap allows.
CapsKept == \A n \in Nodes : \A r \in Trial(n) : r.susp => Cardinality(Trial(n)) <= r.cap \/ r.cap = Uncapped

---------------------------------------------------------------------------
(* Liveness: what nodes and stores do without being made to, they do in the end. *)

Fairness ==
    /\ \A n \in Nodes :
        /\ WF_vars(Join(n)) /\ WF_vars(Renew(n, FALSE)) /\ WF_vars(LeaseEnds(n)) /\ WF_vars(GoOn(n))
        /\ WF_vars(ClaimAnswered(n)) /\ WF_vars(Look(n)) /\ WF_vars(RenewAnswered(n, "done")) /\ WF_vars(RecoverAll(n))
        /\ WF_vars(\E m \in Nodes : Rejoin(n, m, FALSE))
        /\ \A j \in Jobs : WF_vars(\E r \in node[n].known : r.j = j /\
                \/ StartRun(n, r, FALSE) \/ (\E out \in Outcomes(r) : Finish(n, r, out, FALSE))
                \/ Refuse(n, r) \/ CommitStart(n, r, FALSE) \/ CommitEnd(n, r, FALSE) \/ CommitRelease(n, r, FALSE))
    /\ \A j \in Jobs : WF_vars(\E n \in Nodes : ClaimJob(n, j, FALSE)) /\ WF_vars(ReservationEnds(j))
    /\ WF_vars(\E w \in work : WorkEnds(w))

FairSpec == Spec /\ Fairness

\* Every job that was acknowledged ends, and with it everything that it brought about.
EveryJobEnds == \A j \in Jobs : (rows[j].st # "NONE") ~> rows[j].ended

---------------------------------------------------------------------------
(* Values for configurations *)

\* A node whose lease has lapsed may claim and release a job again and again.
FewAttempts == \A j \in Jobs : rows[j].att <= 3
NoKids == [j \in Jobs |-> {}]
\* The jobs that are there from the beginning are the parents of all others.
OneFamily == [j \in Jobs |-> IF j \in Submitted THEN Jobs \ Submitted ELSE {}]
OwnMachines == [n \in Nodes |-> n]
\* The nodes that join later follow one another on the machine of those that are there.
OneMachine == [n \in Nodes |-> "m"]
\* n1 and n2 follow one another on a machine, n3 is on another one.
TwoMachines == [n \in Nodes |-> IF n = "n3" THEN "other" ELSE "m"]

=============================================================================
