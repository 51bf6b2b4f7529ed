package dev.heddle.cli.command;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.heddle.control.Control;

/** Ids of jobs as a table shows them: in full, or the beginning that only one job has. */
record ShownIds(Map<String, String> shortened) {

    static final ShownIds FULL = new ShownIds(Map.of());

    /** Asks for the short forms of these ids, in several requests if there are many. */
    static ShownIds shortened(Control control, List<String> ids) {
        Map<String, String> all = new HashMap<>();
        for (int from = 0; from < ids.size(); from += Control.MOST_SHORTENED) {
            all.putAll(control.shortIds(ids.subList(from, Math.min(ids.size(), from + Control.MOST_SHORTENED))));
        }
        return new ShownIds(all);
    }

    String of(String id) {
        return shortened.getOrDefault(id, id);
    }
}
