package dev.heddle.cli.verb;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import dev.heddle.cli.access.Access;
import dev.heddle.cli.access.Desk;
import dev.heddle.cli.access.Exits;
import dev.heddle.cli.shell.Exit;
import dev.heddle.control.Control;
import dev.heddle.control.ControlException;
import dev.heddle.control.JobView;

/** A command that asks once, or gives one order, and is done. */
abstract class Question extends Verb {

    private final Access.Intent intent;
    private boolean nodeThere;

    Question(Desk desk, Access.Intent intent) {
        super(desk);
        this.intent = intent;
    }

    @Override
    final Exit run() throws Exception {
        check();
        try (Access.Found found = new Access(desk()).open(intent)) {
            nodeThere = found.remote();
            return ask(found.control());
        }
    }

    /** Refuses what can be seen to be wrong before anybody is asked. */
    void check() {}

    /** Whether a node answers, which also runs jobs. */
    final boolean isNodeThere() {
        return nodeThere;
    }

    abstract Exit ask(Control control) throws Exception;

    /** Does it to one after the other; what cannot be done to one does not keep it from the next. */
    final Exit toEach(List<String> ids, Function<String, JobView> order, Function<JobView, String> said) {
        List<JobView> done = new ArrayList<>();
        List<ControlException> refusals = new ArrayList<>();
        for (String id : ids) {
            try {
                done.add(order.apply(id));
            } catch (ControlException e) {
                refusals.add(e);
            }
        }
        if (ids.size() == 1 && refusals.size() == 1) {
            throw refusals.getFirst();
        }
        format().many(screen(), done, jobs -> jobs.forEach(job -> screen().print(said.apply(job))));
        refusals.forEach(refusal -> screen().say(String.valueOf(refusal.getMessage())));
        return refusals.isEmpty() ? Exit.OK : Exits.of(refusals.getFirst().kind());
    }
}
