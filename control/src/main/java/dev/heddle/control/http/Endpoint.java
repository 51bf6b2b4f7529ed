package dev.heddle.control.http;

import java.lang.reflect.Type;
import java.util.List;
import java.util.stream.Stream;

import dev.heddle.access.Role;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;

/**
 * One operation of the HTTP API: everything the client, the server and the OpenAPI document need to know about it.
 *
 * @param method the HTTP method
 * @param path the path below {@link Endpoints#BASE}; {@code {id}} stands for an id, {@code <id>} for an id that may
 *     contain slashes
 * @param summary one line for the API documentation
 * @param idDescription what the id in the path may be, for the API documentation
 * @param parameters the query parameters it accepts
 * @param body the request body; null if it takes none
 * @param manyJobs whether the body may be as large as the server allows for many jobs
 * @param status the HTTP status of a successful response
 * @param responseType the type of the response body
 * @param role the least role that may call it; null if only the processes of jobs may
 * @param <T> the same type, for the compiler
 */
public record Endpoint<T>(Method method, String path, String summary, String idDescription, List<Parameter> parameters,
        @Nullable Body body, boolean manyJobs, int status, Type responseType, @Nullable Role role) {

    /** The path of the endpoints for the processes of jobs. */
    static final String OF_JOBS = "/job";

    /** A parameter of every query. */
    public static final Parameter REVEAL = new Parameter("reveal", "boolean",
            "Whether to show masked values, which needs the role admin. Default false.", false);

    /** What an id in a path may be. */
    public static final String ID_DESCRIPTION = "The id, or an unambiguous prefix of it.";

    /** The HTTP methods of the API. */
    public enum Method {
        /** Reads. */
        GET,
        /** Creates or changes something. */
        POST,
        /** Deletes something. */
        DELETE
    }

    /**
     * The JSON body of a request.
     *
     * @param type the record it is read into
     * @param required whether a request without a body is refused
     */
    public record Body(Class<?> type, boolean required) {}

    static <T> Endpoint<T> get(String path, String summary, Class<T> response) {
        return of(Method.GET, path, summary, response);
    }

    static <T> Endpoint<T> get(String path, String summary, TypeReference<T> response) {
        return of(Method.GET, path, summary, response.getType());
    }

    static <T> Endpoint<T> post(String path, String summary, Class<T> response) {
        return of(Method.POST, path, summary, response);
    }

    static <T> Endpoint<T> delete(String path, String summary, Class<T> response) {
        return of(Method.DELETE, path, summary, response);
    }

    private static <T> Endpoint<T> of(Method method, String path, String summary, Type response) {
        return new Endpoint<>(method, path, summary, ID_DESCRIPTION,
                method == Method.GET && !isForJobs(path) ? List.of(REVEAL) : List.of(), null, false, 200, response,
                null);
    }

    Endpoint<T> needs(Role least) {
        return new Endpoint<>(method, path, summary, idDescription, parameters, body, manyJobs, status, responseType,
                least);
    }

    Endpoint<T> id(String description) {
        return new Endpoint<>(method, path, summary, description, parameters, body, manyJobs, status, responseType,
                role);
    }

    Endpoint<T> query(Parameter... accepted) {
        return new Endpoint<>(method, path, summary, idDescription,
                Stream.concat(Stream.of(accepted), parameters.stream()).toList(), body, manyJobs, status,
                responseType, role);
    }

    Endpoint<T> body(Class<?> type) {
        return body(new Body(type, true));
    }

    Endpoint<T> optionalBody(Class<?> type) {
        return body(new Body(type, false));
    }

    private Endpoint<T> body(Body accepted) {
        return new Endpoint<>(method, path, summary, idDescription, parameters, accepted, manyJobs, status,
                responseType, role);
    }

    Endpoint<T> ofManyJobs() {
        return new Endpoint<>(method, path, summary, idDescription, parameters, body, true, status, responseType, role);
    }

    Endpoint<T> created() {
        return new Endpoint<>(method, path, summary, idDescription, parameters, body, manyJobs, 201, responseType,
                role);
    }

    /** Returns the path in the syntax of OpenAPI, which knows {@code {id}} only. */
    public String template() {
        return path.replace('<', '{').replace('>', '}');
    }

    /** Returns whether it is for the processes of jobs, with the token of their job, and for nobody else. */
    public boolean isForJobs() {
        return isForJobs(path);
    }

    private static boolean isForJobs(String path) {
        return path.equals(OF_JOBS) || path.startsWith(OF_JOBS + "/");
    }

    /** Returns whether the path contains an id. */
    public boolean hasId() {
        return template().contains("{id}");
    }

    /** Returns whether the id in the path may contain slashes. */
    public boolean idMayHaveSlashes() {
        return path.contains("<id>");
    }
}
