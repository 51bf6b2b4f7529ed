package dev.heddle.control.local;

import java.time.Instant;
import java.util.List;

import dev.heddle.control.ControlException;
import dev.heddle.control.model.SavedView;
import dev.heddle.control.model.ViewDraft;
import dev.heddle.job.Limits;
import dev.heddle.query.QueryParser;
import dev.heddle.query.ViewStore;

/** Lists, saves and removes saved views. */
record SavedViews(Backend backend, String actor) {

    List<SavedView> list() {
        return store().views().stream().map(SavedViews::view).toList();
    }

    SavedView save(ViewDraft draft) {
        Instant now = backend.now();
        String query = InputChecks.present("q", draft.q());
        QueryParser.parse(query, now);
        ViewStore.View view = new ViewStore.View(InputChecks.name("name", draft.name()), query, actor, now);
        store().saveView(view);
        return view(view);
    }

    SavedView remove(String name) {
        SavedView view = list().stream().filter(saved -> saved.name().equals(name)).findFirst()
                .orElseThrow(() -> ControlException.notFound(
                        "there is no view '" + Limits.quoted(name) + "'; 'heddle view list' shows all"));
        store().removeView(name);
        return view;
    }

    private static SavedView view(ViewStore.View view) {
        return new SavedView(view.name(), view.query(), view.actor(), view.savedAt());
    }

    private ViewStore store() {
        return backend.jobs().capability(ViewStore.class)
                .orElseThrow(() -> new UnsupportedOperationException("this store keeps no views"));
    }
}
