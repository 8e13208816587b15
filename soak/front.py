"""nginx before several instances, with the configuration that deploy/ shows."""

import os
import shutil
import subprocess

from soak.run import ROOT


def find_nginx():
    return shutil.which("nginx") or ("/usr/sbin/nginx" if os.path.exists("/usr/sbin/nginx") else None)


def start_nginx(world, port, instances):
    """The configuration of deploy/nginx, with other ports and without a certificate."""
    with open(os.path.join(ROOT, "deploy/nginx/mirasa.conf")) as file:
        upstream = file.read()
    for number, instance in enumerate(instances, 8081):
        upstream = upstream.replace(f"127.0.0.1:{number}", f"127.0.0.1:{instance.port}")
    scratch = "".join(f"    {name}_temp_path {world.path('nginx', name)};\n" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    os.makedirs(world.path("nginx"), exist_ok=True)
    with open(world.path("nginx.conf"), "w") as file:
        file.write(f"""{'user root;' if os.geteuid() == 0 else ''}
daemon off;
worker_processes 1;
pid {world.path('nginx.pid')};
error_log {world.path('nginx.log')};
events {{ worker_connections 4096; }}
http {{
    access_log off;
{scratch}
    {upstream}
    server {{
        listen 127.0.0.1:{port};
        include {ROOT}/deploy/nginx/proxy.conf;
    }}
}}
""")
    return subprocess.Popen([find_nginx(), "-c", world.path("nginx.conf"), "-p", world.folder], stderr=subprocess.DEVNULL)
