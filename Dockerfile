# The service as an image: everything in one container, or, with URLs of a database and a queue elsewhere, in any
# number of them (docs/operations.md).

FROM python:3.12-slim AS build
WORKDIR /src
COPY requirements requirements
RUN python -m venv /opt/build \
 && /opt/build/bin/pip install --no-cache-dir --require-hashes -r requirements/dev.txt \
 && python -m venv /opt/adjudicator \
 && /opt/adjudicator/bin/pip install --no-cache-dir --require-hashes -r requirements/runtime.txt
COPY pyproject.toml README.md LICENSE openapi.yaml ./
COPY adjudicator adjudicator
COPY worker worker
RUN /opt/build/bin/pip wheel --no-cache-dir --no-deps --no-build-isolation --wheel-dir /dist . \
 && /opt/adjudicator/bin/pip install --no-cache-dir --no-deps --no-index /dist/*.whl

FROM python:3.12-slim
RUN useradd --system --uid 10001 --create-home --home-dir /var/lib/adjudicator adjudicator
COPY --from=build /opt/adjudicator /opt/adjudicator
ENV PATH=/opt/adjudicator/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    ADJUDICATOR_DATA_DIR=/var/lib/adjudicator \
    ADJUDICATOR_HOST=0.0.0.0
USER adjudicator
WORKDIR /var/lib/adjudicator
VOLUME /var/lib/adjudicator
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8080/livez', timeout=2)"]
CMD ["adjudicator", "serve"]
