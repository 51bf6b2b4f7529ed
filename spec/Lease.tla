-------------------------------- MODULE Lease --------------------------------
(***************************************************************************)
(* The clocks behind a lease: why a node has stopped what it runs before   *)
(* another one may take over.                                              *)
(*                                                                         *)
(* The store counts a lease from the commit of a renewal, by its own       *)
(* clock. The node counts a shorter time from before it sent the renewal,  *)
(* by a clock that nobody can set. Heddle.tla relies on NoOverlap: there,  *)
(* a lease ends only if its node has stopped, is dead, or stands still.    *)
(***************************************************************************)
EXTENDS Naturals

CONSTANTS
    Length,   \* how long a lease lasts in the store
    Usable,   \* how long the node runs what it claimed
    Horizon,  \* when the model ends
    Faults    \* what the node does wrong on purpose: FromAnswer, TimeOfDay, NeverStops

VARIABLES
    now,      \* the time that passes alike everywhere
    until,    \* the store: when the lease ends
    sent,     \* the renewal under way: when it was sent, 0 if none is
    came,     \* whether the store has committed that renewal
    since,    \* the node: the time from which it counts
    set,      \* by how much the node's time of day is set forward against the real one
    runs,     \* whether a handler runs
    still,    \* whether the node stands still
    late      \* whether the handler was running when the node stood still

vars == <<now, until, sent, came, since, set, runs, still, late>>

Clock == IF "TimeOfDay" \in Faults THEN now + set ELSE now
\* A negative time has not lapsed.
HasLapsed == Clock >= since + Usable

Init ==
    /\ now = 3 /\ until = 3 + Length /\ sent = 0 /\ came = FALSE /\ since = 3
    /\ set = 0 /\ runs = FALSE /\ still = FALSE /\ late = FALSE

\* The watchdog stops in time what it knows to have lapsed, unless the node stands still.
Tick ==
    /\ now < Horizon
    /\ still \/ ~runs \/ ~HasLapsed \/ "NeverStops" \in Faults
    /\ now' = now + 1
    /\ UNCHANGED <<until, sent, came, since, set, runs, still, late>>

Send ==
    /\ ~still /\ sent = 0
    /\ sent' = Clock /\ came' = FALSE
    /\ UNCHANGED <<now, until, since, set, runs, still, late>>

\* A lease that has ended may have been taken over; the node is told so and joins again, which Heddle.tla shows.
Commit ==
    /\ sent # 0 /\ ~came /\ now <= until
    /\ until' = now + Length /\ came' = TRUE
    /\ UNCHANGED <<now, sent, since, set, runs, still, late>>

Answer ==
    /\ ~still /\ sent # 0 /\ came
    /\ since' = IF "FromAnswer" \in Faults THEN Clock ELSE sent
    /\ sent' = 0
    /\ UNCHANGED <<now, until, came, set, runs, still, late>>

Lost ==
    /\ ~still /\ sent # 0
    /\ sent' = 0
    /\ UNCHANGED <<now, until, came, since, set, runs, still, late>>

Start ==
    /\ ~still /\ ~runs /\ ~HasLapsed
    /\ runs' = TRUE /\ late' = FALSE
    /\ UNCHANGED <<now, until, sent, came, since, set, still>>

Stop ==
    /\ ~still /\ runs
    /\ runs' = FALSE /\ late' = FALSE
    /\ UNCHANGED <<now, until, sent, came, since, set, still>>

StandStill ==
    /\ ~still
    /\ still' = TRUE /\ late' = runs
    /\ UNCHANGED <<now, until, sent, came, since, set, runs>>

GoOn ==
    /\ still
    /\ still' = FALSE
    /\ UNCHANGED <<now, until, sent, came, since, set, runs, late>>

\* Somebody sets the clock of the node's machine, forward or back.
SetClock ==
    /\ set' \in 0..2 /\ set' # set
    /\ UNCHANGED <<now, until, sent, came, since, runs, still, late>>

Next == Tick \/ Send \/ Commit \/ Answer \/ Lost \/ Start \/ Stop \/ StandStill \/ GoOn \/ SetClock

Spec == Init /\ [][Next]_vars

\* Nothing runs here once others may have taken over, except what a node that stood still goes on with.
NoOverlap == runs /\ ~late => now <= until

=============================================================================
