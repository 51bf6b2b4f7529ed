package dev.heddle.server;

import java.lang.reflect.Type;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Something that can be asked over HTTP.
 *
 * @param method GET, POST or DELETE
 * @param path below {@code /api/v1}, with {@code {id}}, or {@code <id>} for one that may have slashes
 * @param summary one line for people
 * @param query the parameters it knows
 * @param body what it reads; null for nothing
 * @param bulk whether the body may be as large as many jobs are
 * @param status of the answer where all goes well
 * @param answer what it returns
 * @param action what it does
 */
record Route(String method, String path, String summary, List<Param> query, @Nullable Body body, boolean bulk,
        int status, Type answer, Action action) {

    /**
     * A query parameter.
     *
     * @param schema its JSON Schema type
     * @param many whether it may be given more than once
     */
    record Param(String name, String schema, String meaning, boolean many) {}

    /** @param required whether the request may come without one */
    record Body(Class<?> type, boolean required) {}

    /** Does what was asked; what it returns is answered as JSON. */
    interface Action {
        Object answer(Call call);
    }

    static Route get(String path, String summary, Type answer, Action action) {
        return new Route("GET", path, summary, List.of(), null, false, 200, answer, action);
    }

    static Route post(String path, String summary, Type answer, Action action) {
        return new Route("POST", path, summary, List.of(), null, false, 200, answer, action);
    }

    static Route delete(String path, String summary, Type answer, Action action) {
        return new Route("DELETE", path, summary, List.of(), null, false, 200, answer, action);
    }

    Route query(List<Param> params) {
        return new Route(method, path, summary, params, body, bulk, status, answer, action);
    }

    Route reads(Class<?> type) {
        return new Route(method, path, summary, query, new Body(type, true), bulk, status, answer, action);
    }

    Route mayRead(Class<?> type) {
        return new Route(method, path, summary, query, new Body(type, false), bulk, status, answer, action);
    }

    Route ofManyJobs() {
        return new Route(method, path, summary, query, body, true, status, answer, action);
    }

    Route created() {
        return new Route(method, path, summary, query, body, bulk, 201, answer, action);
    }

    /** As OpenAPI writes it. */
    String template() {
        return path.replace('<', '{').replace('>', '}');
    }
}
